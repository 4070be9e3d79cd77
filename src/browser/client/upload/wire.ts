import type { Outcome, Part } from "./sending.ts"

/** The file has changed since it was chosen, or no longer exists. */
export class FileChanged extends Error {
  override readonly name = "FileChanged"
}

const isReadable = (file: File) => file.slice(0, 1).arrayBuffer().then(() => true, () => false)

// `fetch` does not tell how much of a body has gone.
const put = (
  { headers = {}, url }: Part,
  body: Blob,
  signal: AbortSignal,
  tell: (bytes: number) => void
): Promise<number> => {
  const request = new XMLHttpRequest()
  const { promise, reject, resolve } = Promise.withResolvers<number>()
  const abort = () => request.abort()
  request.open("PUT", url)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener("progress", ({ loaded }) => tell(loaded))
  request.addEventListener("load", () => resolve(request.status))
  request.addEventListener("error", () => resolve(0))
  request.addEventListener("abort", () => reject(signal.reason))
  signal.addEventListener("abort", abort)
  request.addEventListener("loadend", () => signal.removeEventListener("abort", abort))
  if (signal.aborted) reject(signal.reason)
  else request.send(body)
  return promise
}

/** Sends a part of a file to its address. */
export const sendPart = async (
  file: File,
  part: Part,
  signal: AbortSignal,
  tell: (bytes: number) => void
): Promise<Outcome> => {
  const { offset, size_bytes } = part
  const status = await put(part, file.slice(offset, offset + size_bytes), signal, tell)
  if (status >= 200 && status < 300) return "sent"
  if (!await isReadable(file)) throw new FileChanged()
  return status === 0 ? "offline" : "again"
}

/** Waits so long, or until the browser says that it is online again, or until it is ended. */
export const restOrOnline = (milliseconds: number, signal: AbortSignal): Promise<void> => {
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  const over = new AbortController()
  const timer = setTimeout(resolve, milliseconds)
  addEventListener("online", () => resolve(), { signal: over.signal })
  signal.addEventListener("abort", () => reject(signal.reason), { signal: over.signal })
  if (signal.aborted) reject(signal.reason)
  return promise.finally(() => {
    clearTimeout(timer)
    over.abort()
  })
}
