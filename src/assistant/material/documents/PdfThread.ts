import { parentPort, workerData } from "node:worker_threads"
import { getDocumentProxy } from "unpdf"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

// Runs in a thread of its own, because reading a PDF that anybody made may take long and much memory.

const mostPages = 1000
/** In characters: a page as long as the database takes, and all pages as long as a large book. */
const longestPage = 500_000
const longestDocument = 5_000_000

const storable = (text: string) => text.replaceAll("\u0000", "").slice(0, longestPage).toWellFormed()

/** The pages from this one on, one after the other, so that one is in memory at a time. `read` characters came before. */
const pagesFrom = async (document: Document, number: number, read: number): Promise<ReadonlyArray<string>> => {
  if (number > Math.min(document.numPages, mostPages) || read >= longestDocument) return []
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  const text = storable(items.map((item) => "str" in item ? item.str + (item.hasEOL ? "\n" : "") : "").join(""))
  page.cleanup()
  return [text, ...await pagesFrom(document, number + 1, read + text.length)]
}

const pages = await pagesFrom(await getDocumentProxy(workerData), 1, 0)
const { system, user } = process.threadCpuUsage()
parentPort?.postMessage({ pages, spent_ms: Math.round((system + user) / 1000) }, [])
