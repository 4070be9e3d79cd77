import { fileURLToPath } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import { getDocumentProxy } from "unpdf"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

// Runs in a thread of its own, because reading a stranger's PDF may take long and use much memory.

const mostPages = 1000
/** In characters: a page as long as the database takes, and all pages as long as a large book. */
const longestPage = 500_000
const longestDocument = 5_000_000

// Chinese, Japanese and Korean files rely on the code tables here, and all files on the widths of the standard fonts.
// Both are in the package inside the reader. As paths, because the reader opens no `file:` address.
const packaged = fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")).replace(/package\.json$/, "")
const resources = {
  cMapUrl: `${packaged}cmaps/`,
  cMapPacked: true,
  standardFontDataUrl: `${packaged}standard_fonts/`,
  // Nothing is drawn.
  disableFontFace: true,
  isEvalSupported: false
}

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

/**
 * True if the file has a picture. A picture's dictionary is readable as it is: a picture is a stream, and only other
 * objects can be packed together.
 */
const hasPictures = (file: Buffer) => {
  for (let at = file.indexOf("/Subtype"); at !== -1; at = file.indexOf("/Subtype", at + 1)) {
    if (/^\/Subtype\s*\/Image\b/.test(file.toString("latin1", at, at + 32))) return true
  }
  return false
}

// The reader takes the bytes over, so they are looked at before.
const given: Uint8Array<ArrayBuffer> = workerData
const withPictures = hasPictures(Buffer.from(given.buffer, given.byteOffset, given.byteLength))

const pages = await pagesFrom(await getDocumentProxy(given, resources), 1, 0)
const hasText = pages.some((page) => /[\p{L}\p{N}]/u.test(page))
const without_text = hasText ? null : withPictures ? "pictures" : "nothing"
const { system, user } = process.threadCpuUsage()
parentPort?.postMessage({ pages, without_text, spent_ms: Math.round((system + user) / 1000) }, [])
