import { signal } from "@preact/signals"
import { type Schemas, TurmaError } from "../../../../sdk/index.ts"
import { turma } from "../../../client/Api.ts"
import { changed, failureOf } from "../../../client/Reads.ts"
import { type Parts, sendFile, waitAfter } from "./sending.ts"
import { FileChanged, rest, sendPart } from "./wire.ts"

/** A media record. */
export type Media = Schemas["Media"]

/** A file on its way. */
export interface Upload {
  readonly id: number
  readonly clubId: string
  readonly file: File
  readonly state: "sending" | "waiting" | "paused" | "done" | "failed"
  /** How many bytes are there. */
  readonly sent: number
  /** Whether it goes on with what an earlier page has sent. */
  readonly isContinued: boolean
  readonly media: Media | undefined
  readonly error: TurmaError | "changed" | "refused" | undefined
}

/** The files that are on their way, wherever in the console one is. */
export const uploads = signal<ReadonlyArray<Upload>>([])

const running = new Map<number, AbortController>()
let last = 0

const set = (id: number, changes: Partial<Upload>) => {
  uploads.value = uploads.peek().map((one) => one.id === id ? { ...one, ...changes } : one)
}

const find = (id: number) => uploads.peek().find((one) => one.id === id)

/** What the type of a file is called where the browser does not know it. */
const typesByEnding: Readonly<Record<string, string>> = {
  csv: "text/csv",
  epub: "application/epub+zip",
  md: "text/markdown",
  mov: "video/quicktime",
  txt: "text/plain",
  zip: "application/zip"
}

const mimeOf = ({ name, type }: File) => {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? ""
  return typesByEnding[ending] ?? (type === "" ? "application/octet-stream" : type)
}

// Nothing was reached, or the service is about to come back.
const isPassing = (thrown: unknown) =>
  thrown instanceof TurmaError && (thrown.status === undefined || thrown.status >= 500 && thrown.status !== 507)

const orOffline = async <A>(work: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await work()
  } catch (thrown) {
    if (isPassing(thrown)) return undefined
    throw thrown
  }
}

const partsOf = async (params: { readonly clubId: string; readonly mediaId: string }, signal: AbortSignal) => {
  try {
    const { data } = await turma.media.resume(params, { signal })
    return data
  } catch (thrown) {
    // It was confirmed before, and the answer did not come.
    if (!(thrown instanceof TurmaError) || thrown.code !== "upload_completed") throw thrown
    return { part_size: 1, part_count: 0, received: [], missing: [] } satisfies Parts
  }
}

/** An upload of a file of this name and size that was begun and not completed. */
const begunBefore = async (clubId: string, file: File, signal: AbortSignal): Promise<Media | undefined> => {
  const { data } = await turma.media.list({ clubId, limit: 100 }, { signal })
  const own = new Set(uploads.peek().filter(({ state }) => state !== "failed").map(({ media }) => media?.id))
  return data.find(({ file_name, id, size_bytes, status }) =>
    status === "uploading" && file_name === file.name && size_bytes === file.size && !own.has(id)
  )
}

const begin = async (id: number, clubId: string, file: File, signal: AbortSignal): Promise<Media> => {
  const before = await begunBefore(clubId, file, signal)
  if (before !== undefined) {
    set(id, { media: before, isContinued: true })
    return before
  }
  const body = { file_name: file.name, mime: mimeOf(file), size_bytes: file.size }
  const { data: { media } } = await turma.media.create({ clubId, body }, { signal })
  set(id, { media })
  return media
}

const send = async ({ clubId, file, id, media: known }: Upload, signal: AbortSignal): Promise<Media> => {
  const media = known ?? await begin(id, clubId, file, signal)
  const params = { clubId, mediaId: media.id }
  return sendFile<Media>({
    parts: () => orOffline(() => partsOf(params, signal)),
    send: (part, tell) => sendPart(file, part, signal, tell),
    complete: () => orOffline(async () => (await turma.media.complete(params, { signal })).data),
    rest: async (failures, isOffline) => {
      if (isOffline) set(id, { state: "waiting" })
      await rest(waitAfter(failures), signal)
      set(id, { state: "sending" })
    },
    tell: (sent) => set(id, { sent })
  }, file.size)
}

const errorOf = (thrown: unknown): Upload["error"] =>
  thrown instanceof FileChanged ? "changed" : thrown instanceof TurmaError ? thrown : "refused"

const run = async (id: number): Promise<void> => {
  const upload = find(id)
  if (upload === undefined || running.has(id)) return
  const controller = new AbortController()
  running.set(id, controller)
  set(id, { state: "sending", error: undefined })
  try {
    const media = await send(upload, controller.signal)
    set(id, { state: "done", media, sent: upload.file.size })
  } catch (thrown) {
    if (!controller.signal.aborted) {
      const isOffline = isPassing(thrown)
      set(id, { state: isOffline ? "paused" : "failed", error: isOffline ? failureOf(thrown) : errorOf(thrown) })
    }
  } finally {
    running.delete(id)
    changed(`${upload.clubId}/media`)
  }
}

/** Sends a file to the library: on from where it stopped, if one of its name and size was begun before. */
export const upload = (clubId: string, file: File): number => {
  const id = ++last
  const begun = { state: "sending", sent: 0, isContinued: false, media: undefined, error: undefined } as const
  uploads.value = [...uploads.peek(), { id, clubId, file, ...begun }]
  void run(id)
  return id
}

/** Holds an upload; what is there stays for a day. */
export const pause = (id: number): void => {
  set(id, { state: "paused" })
  running.get(id)?.abort()
}

/** Goes on with an upload. */
export const goOn = (id: number): void => void run(id)

/** Takes a file off the list. */
export const forget = (id: number): void => {
  uploads.value = uploads.peek().filter((one) => one.id !== id)
}

/** Ends an upload, and deletes what has come of it. */
export const cancel = async (id: number): Promise<void> => {
  const upload = find(id)
  running.get(id)?.abort()
  forget(id)
  if (upload?.media === undefined) return
  await turma.media.remove({ clubId: upload.clubId, mediaId: upload.media.id })
  changed(`${upload.clubId}/media`)
}

// Whoever leaves the page leaves its uploads.
addEventListener("beforeunload", (event) => {
  if (running.size > 0) event.preventDefault()
})
