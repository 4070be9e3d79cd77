import { effect, signal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { changed } from "../../../../browser/client/Reads.ts"
import { orMissed } from "../../../../browser/client/upload/orMissed.ts"
import { type Parts, sendFile, waitAfter } from "../../../../browser/client/upload/sending.ts"
import { FileChanged, restOrOnline, sendPart } from "../../../../browser/client/upload/wire.ts"
import { TurmaError } from "../../../../sdk/index.ts"
import { me } from "../../Session.ts"
import { forgetBegun } from "./memory.ts"
import { begin, beginAnew, discard, type Media, partsOf, type Started } from "./record.ts"

export type { Media } from "./record.ts"

/** A file on its way. */
export interface Upload {
  readonly id: number
  readonly clubId: string
  /** The person who chose the file. */
  readonly personId: string | undefined
  readonly file: File
  /** `queued`: others go first. */
  readonly state: "queued" | "sending" | "waiting" | "paused" | "done" | "failed"
  /** Bytes that have arrived. */
  readonly sent: number
  readonly started: Started | undefined
  readonly error: TurmaError | "changed" | "refused" | "signedOut" | undefined
}

/** The files that are on their way, wherever in the console one is. */
export const uploads = signal<ReadonlyArray<Upload>>([])

/** So many are sent at once; a browser has few connections to one host. */
const mostAtOnce = 2

const running = new Map<number, AbortController>()
let last = 0

const set = (id: number, changes: Partial<Upload>) => {
  uploads.value = uploads.peek().map((one) => one.id === id ? { ...one, ...changes } : one)
}

const find = (id: number) => uploads.peek().find((one) => one.id === id)

/** The records of the other uploads in the list. */
const taken = () =>
  new Set(uploads.peek().flatMap(({ started, state }) =>
    started === undefined || state === "failed" ? [] : [started.media.id]
  ))

const startedOf = async ({ clubId, file, id }: Upload, signal: AbortSignal): Promise<Started> => {
  const started = find(id)?.started ?? await begin(clubId, file, taken(), signal)
  set(id, { started })
  return started
}

/** Starts another upload if this one can send nothing any more. */
const partsOrAnew = async ({ clubId, file, id }: Upload, known: Started, signal: AbortSignal): Promise<Parts> => {
  const parts = await partsOf(clubId, known, file.size, signal)
  if (parts !== undefined) return parts
  const started = await beginAnew(clubId, file, signal)
  set(id, { started })
  await discard(clubId, known.media.id)
  const anew = await partsOf(clubId, started, file.size, signal)
  if (anew === undefined) throw new Error("refused")
  return anew
}

const send = async (upload: Upload, signal: AbortSignal): Promise<Media> => {
  const { clubId, file, id } = upload
  return sendFile<Media>({
    parts: () => orMissed(async () => partsOrAnew(upload, await startedOf(upload, signal), signal)),
    send: (part, tell) => sendPart(file, part, signal, tell),
    complete: () =>
      orMissed(async () => {
        const { media } = await startedOf(upload, signal)
        const { data } = await turma.media.complete({ clubId, mediaId: media.id }, { signal })
        forgetBegun(media.id)
        return data
      }),
    rest: async (failures, isOffline) => {
      if (isOffline) set(id, { state: "waiting" })
      await restOrOnline(waitAfter(failures), signal)
      set(id, { state: "sending" })
    },
    tell: (sent) => set(id, { sent })
  }, file.size)
}

const errorOf = (thrown: unknown): Upload["error"] => {
  if (thrown instanceof FileChanged) return "changed"
  if (!(thrown instanceof TurmaError)) return "refused"
  return thrown.status === 401 ? "signedOut" : thrown
}

/** True if the same file may succeed later. */
export const isResumable = ({ error, state }: Upload): boolean =>
  state === "paused" ||
  state === "failed" && (error === "refused" || error instanceof TurmaError && error.status === 507)

const run = async (id: number): Promise<void> => {
  const upload = find(id)
  if (upload === undefined || running.has(id)) return
  if (running.size >= mostAtOnce) return set(id, { state: "queued", error: undefined })
  const controller = new AbortController()
  running.set(id, controller)
  set(id, { state: "sending", error: undefined })
  try {
    await send(upload, controller.signal)
    set(id, { state: "done", sent: upload.file.size })
  } catch (thrown) {
    const error = errorOf(thrown)
    if (!controller.signal.aborted) set(id, { state: error === "signedOut" ? "paused" : "failed", error })
  } finally {
    running.delete(id)
    changed(`${upload.clubId}/media`)
    runNext()
  }
}

const runNext = () => {
  const queued = uploads.peek().find(({ state }) => state === "queued")
  if (queued !== undefined) void run(queued.id)
}

/** Sends a file to the library. If this tab has started it before, it continues there. */
export const upload = (clubId: string, file: File): void => {
  const id = ++last
  const personId = me.peek()?.id
  const begun = { state: "queued", sent: 0, started: undefined, error: undefined } as const
  uploads.value = [...uploads.peek(), { id, clubId, personId, file, ...begun }]
  void run(id)
}

/** Sends one file and answers its record. Fails if the upload does; the list of uploads shows why. */
export const uploadOne = (clubId: string, file: File): Promise<Media> => {
  upload(clubId, file)
  const id = last
  return new Promise((resolve, reject) => {
    const stop = effect(() => {
      const found = uploads.value.find((one) => one.id === id)
      if (found?.state === "done" && found.started !== undefined) resolve(found.started.media)
      else if (found === undefined || found.state === "failed") reject(new Error(`${file.name} was not sent`))
      else return
      queueMicrotask(() => stop())
    })
  })
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
  if (upload?.started === undefined) return
  await discard(upload.clubId, upload.started.media.id)
  changed(`${upload.clubId}/media`)
}

// Leaving the page ends its uploads.
addEventListener("beforeunload", (event) => {
  if (running.size > 0) event.preventDefault()
})
