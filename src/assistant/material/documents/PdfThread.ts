import { parentPort, workerData } from "node:worker_threads"
import { getDocumentProxy } from "unpdf"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

// Runs in a thread of its own: a PDF is anybody's program, which may take long and much memory.

const mostPages = 1000
/** In characters: of a page what the database takes, and of all pages a large book. */
const mostOfPage = 500_000
const mostOfAll = 5_000_000

const storable = (text: string) => text.replaceAll("\u0000", "").slice(0, mostOfPage).toWellFormed()

/** The pages from this one on, one after the other, so that one is in memory at a time; `read` characters were before. */
const pagesFrom = async (document: Document, number: number, read: number): Promise<ReadonlyArray<string>> => {
  if (number > Math.min(document.numPages, mostPages) || read >= mostOfAll) return []
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  const text = storable(items.map((item) => "str" in item ? item.str + (item.hasEOL ? "\n" : "") : "").join(""))
  page.cleanup()
  return [text, ...await pagesFrom(document, number + 1, read + text.length)]
}

const pages = await pagesFrom(await getDocumentProxy(workerData), 1, 0)
const { system, user } = process.threadCpuUsage()
parentPort?.postMessage({ pages, spent_ms: Math.round((system + user) / 1000) }, [])
