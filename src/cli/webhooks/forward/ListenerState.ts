import { Effect, FileSystem, Option, type Redacted, Schema } from "effect"
import { createHash } from "node:crypto"
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { ownText } from "../../../platform/text/Utf8.ts"
import { ListenerResult } from "../../../webhooks/listener/Listener.ts"
import { EndpointId } from "../../../webhooks/model/EndpointId.ts"
import { unwritable } from "../../errors/Unreadable.ts"
import { configFolder } from "../../profile/Folder.ts"
import { onceOnly } from "../../remote/Once.ts"
import type { Remote } from "./Remote.ts"

/** A listener that a later command may go on with, as long as the service keeps it. */
const SavedListener = Schema.Struct({
  url: Schema.String,
  club_id: Schema.String,
  forward_to: Schema.String,
  listener_id: EndpointId,
  secret: Schema.RedactedFromValue(Schema.String),
  /** Names the command that has it: the one that was started last. */
  holder: Schema.String
})
type SavedListener = typeof SavedListener.Type

const SavedJson = Schema.fromJsonString(Schema.toCodecJson(SavedListener))
const readSaved = Schema.decodeUnknownOption(SavedJson)
const writeSaved = Schema.encodeEffect(SavedJson)
const ResultJson = Schema.fromJsonString(Schema.toCodecJson(ListenerResult))
const readResult = Schema.decodeUnknownOption(ResultJson)
const writeResult = Schema.encodeSync(ResultJson)

/** Once the journal is longer, in bytes, it is written anew. */
const longestJournal = 1_000_000

/** In the folder of the person's settings: a file for each service, club and address. */
const usualPath = Effect.fnUntraced(function*(named: ReadonlyArray<string>) {
  const name = createHash("sha256").update(named.join("\n")).digest("hex").slice(0, 16)
  return join(yield* configFolder, "listeners", `${name}.json`)
})

/** The results that are not reported yet, each in the file before any other use. */
class Journal {
  readonly #file: number
  #length: number

  constructor(path: string) {
    // "a": our lines go to the end, even if another process has the file open.
    this.#file = openSync(path, "a", 0o600)
    this.#length = 0
  }

  /**
   * The system has the line when this returns, so it survives a kill. It begins with the end of a line too, so a
   * half-written line spoils no line after it.
   */
  add(result: ListenerResult): void {
    this.#length += writeSync(this.#file, `\n${writeResult(result)}\n`)
  }

  /** Keeps these results, which are still to report, out of all that were added. */
  keep(left: ReadonlyArray<ListenerResult>): void {
    if (left.length > 0 && this.#length < longestJournal) return
    ftruncateSync(this.#file, 0)
    this.#length = 0
    for (const result of left) this.add(result)
  }

  close(): void {
    closeSync(this.#file)
  }
}

const readIfThere = (path: string) =>
  Effect.map(Effect.option(Effect.try(() => ownText(readFileSync(path)))), Option.getOrElse(() => ""))

/**
 * The memory for a restart after a kill: the listener, and the forwarded deliveries whose result is not reported. The
 * files belong to the person alone, since one holds the secret. Fails if they cannot be written.
 */
export const openListenerState = Effect.fnUntraced(function*(
  { club_id, url }: Remote,
  forward_to: string,
  given: Option.Option<string>
) {
  const fs = yield* FileSystem.FileSystem
  const path = Option.isSome(given) ? given.value : yield* usualPath([url, club_id, forward_to])
  const journalPath = `${path}.journal`
  const refused = unwritable(path, "; name another file with --state")
  yield* Effect.mapError(fs.makeDirectory(dirname(path), { recursive: true, mode: 0o700 }), refused)

  const holder = yield* onceOnly
  const saved = Option.filter(
    readSaved(yield* readIfThere(path)),
    (saved) => saved.url === url && saved.club_id === club_id && saved.forward_to === forward_to
  )
  const unrecorded = (yield* readIfThere(journalPath)).split("\n").flatMap((line) => Option.toArray(readResult(line)))
  const journal = yield* Effect.acquireRelease(
    Effect.mapError(Effect.try(() => new Journal(journalPath)), refused),
    (journal) => Effect.sync(() => journal.close())
  )
  const writing = (write: () => void) => Effect.mapError(Effect.try(write), refused)
  // This listener cannot report results of another one.
  if (Option.isNone(saved)) yield* writing(() => journal.keep([]))

  const keep = Effect.fnUntraced(function*(listener_id: EndpointId, secret: Redacted.Redacted) {
    const text = yield* Effect.orDie(writeSaved({ url, club_id, forward_to, listener_id, secret, holder }))
    const fresh = `${path}.new`
    yield* fs.remove(fresh, { force: true }).pipe(
      Effect.andThen(fs.writeFileString(fresh, text, { flag: "wx", mode: 0o600 })),
      Effect.andThen(fs.rename(fresh, path)),
      Effect.mapError(refused)
    )
  })

  const isLatest = Effect.map(
    readIfThere(path),
    (text) => !Option.exists(readSaved(text), (saved) => saved.holder !== holder)
  )

  const forget = Effect.forEach([path, journalPath], (file) => Effect.ignore(fs.remove(file, { force: true })), {
    discard: true
  })

  return {
    path,
    /** The listener of the process before, if there was one for the same service, club and address. */
    saved,
    /** Results that the earlier process did not report, or reported without an answer. */
    unrecorded: Option.isSome(saved) ? unrecorded : [],
    /** Fails where the file cannot be written any more, such as on a disk that is full. */
    journal: {
      add: (result: ListenerResult) => writing(() => journal.add(result)),
      keep: (left: ReadonlyArray<ListenerResult>) => writing(() => journal.keep(left))
    },
    /** From then on this command has it: one that had it before gives way. */
    keep,
    /** True while no later command has the same file. */
    isLatest,
    forget
  }
})
export type ListenerState = Effect.Success<ReturnType<typeof openListenerState>>
