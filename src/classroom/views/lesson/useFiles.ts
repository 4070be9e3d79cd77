import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { failureOf } from "../../../browser/client/Reads.ts"
import type { TurmaError } from "../../../sdk/index.ts"
import { sendStudentFile } from "../../club/uploads.ts"

/** A file that goes with a submission. */
export interface SentFile {
  readonly id: string
  readonly name: string
  readonly size: number
}

/** A file on its way. */
export interface FileOnWay {
  readonly key: number
  readonly name: string
  readonly size: number
  readonly sent: number
  readonly error: TurmaError | undefined
}

/** The most files of a submission. */
export const mostFiles = 10

const isSent = (value: unknown): value is SentFile => {
  if (typeof value !== "object" || value === null) return false
  const found = new Map<string, unknown>(Object.entries(value))
  return typeof found.get("id") === "string" && typeof found.get("name") === "string" &&
    typeof found.get("size") === "number"
}

const keptFiles = (text: string): ReadonlyArray<SentFile> => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isSent) : []
  } catch {
    return []
  }
}

/** The files of a submission: sent as soon as they are chosen, so that a reload keeps them. */
export const useFiles = (key: string) => {
  const draft = useDraft(`${key}/files`)
  const onWay = useSignal<ReadonlyArray<FileOnWay>>([])
  const running = useRef(new Map<number, AbortController>())
  const last = useRef(0)
  const files = useRef<ReadonlyArray<SentFile>>([])
  files.current = keptFiles(draft.text)
  const keep = (next: ReadonlyArray<SentFile>) => {
    files.current = next
    draft.set(next.length === 0 ? "" : JSON.stringify(next))
  }
  const change = (of: number, changes: Partial<FileOnWay>) => {
    onWay.value = onWay.peek().map((one) => one.key === of ? { ...one, ...changes } : one)
  }
  const forget = (of: number) => {
    running.current.get(of)?.abort()
    running.current.delete(of)
    onWay.value = onWay.peek().filter(({ key }) => key !== of)
  }
  const send = async (file: File) => {
    const own = ++last.current
    const controller = new AbortController()
    running.current.set(own, controller)
    onWay.value = [...onWay.peek(), { key: own, name: file.name, size: file.size, sent: 0, error: undefined }]
    try {
      const media = await sendStudentFile(file, "submission", controller.signal, (sent) => change(own, { sent }))
      keep([...files.current, { id: media.id, name: file.name, size: file.size }])
      forget(own)
    } catch (thrown) {
      if (!controller.signal.aborted) change(own, { error: failureOf(thrown) })
    }
  }
  useEffect(() => () => {
    for (const controller of running.current.values()) controller.abort()
  }, [])
  return {
    files: files.current,
    onWay: onWay.value,
    isBusy: onWay.value.some(({ error }) => error === undefined),
    add: (chosen: Iterable<File>) => {
      const room = mostFiles - files.current.length - onWay.peek().length
      for (const file of [...chosen].slice(0, Math.max(0, room))) void send(file)
    },
    remove: (id: string) => keep(files.current.filter((one) => one.id !== id)),
    forget,
    clear: () => keep([])
  }
}
