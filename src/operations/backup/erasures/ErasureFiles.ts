import { DateTime, Duration, Effect, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { decodeUtf8 } from "../../../platform/text/Utf8.ts"
import { openArchive } from "../archive/ArchiveReader.ts"
import { writeArchive } from "../archive/ArchiveWriter.ts"
import { refuse } from "../archive/BackupError.ts"
import { erasuresName, seriesOfName, timeOfName } from "../place/BackupName.ts"
import type { Place } from "../place/Place.ts"

/** Somebody who was removed: ids, and nothing that says who they were. */
export const Erased = Schema.Struct({ club_id: ClubId, student_id: StudentId })
export type Erased = typeof Erased.Type

const Lines = Schema.Array(Schema.fromJsonString(Erased))
const encodeLines = Schema.encodeEffect(Lines)
const decodeLines = Schema.decodeUnknownEffect(Lines)

/** The one file of a list. */
const fileName = "erasures.ndjson"

/** How far the clocks of machines may be apart. A list older than a backup by less may hold removals that the backup lacks. */
const apart = Duration.days(1)

/** For so long at least a list is kept: a backup that was copied elsewhere may be restored with it. */
const keptFor = Duration.days(366)

/** Where lists are kept, and what seals them. */
export interface Keeping {
  readonly place: Place
  readonly passphrase?: Redacted.Redacted | undefined
}

/** Writes a list of its own beside the backups, sealed like them: several machines that do so lose nothing of each other. */
export const writeErasures = Effect.fn("ErasureFiles.write")(function*(
  { passphrase, place }: Keeping,
  series: string,
  people: ReadonlyArray<Erased>
) {
  const random = yield* SecureRandom.SecureRandom
  const tag = Buffer.from(yield* random.randomBytes(4)).toString("hex")
  const name = erasuresName(series, yield* DateTime.now, tag)
  const lines = yield* Effect.orDie(encodeLines(people))
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""))
  yield* writeArchive(place.destination(name), ({ add }) => add(fileName, bytes), passphrase)
  // A list is not a backup, so nothing verifies it.
  yield* place.confirm(name)
})

/** What opens lists. */
interface Opening {
  readonly passphrase?: Redacted.Redacted | undefined
  readonly takesUnsealed?: boolean
}

const readList = Effect.fnUntraced(function*(place: Place, name: string, opening: Opening) {
  const archive = yield* openArchive(place.source(name), opening)
  const damaged = refuse(`${place.name}/${name}: it is no list of removals`)
  const entry = yield* archive.next
  if (entry?.name !== fileName) return yield* damaged
  const text = yield* Effect.mapError(decodeUtf8(yield* entry.bytes), () => damaged)
  const people = yield* Effect.mapError(decodeLines(text.split("\n").filter((line) => line !== "")), () => damaged)
  yield* archive.next
  yield* archive.end
  return people
}, Effect.scoped)

/** The lists of an installation that were written since a moment, or within a day before it. */
const listsSince = Effect.fnUntraced(function*(place: Place, series: string, since: DateTime.Utc) {
  const oldest = DateTime.subtractDuration(since, apart)
  return (yield* place.erasures).filter((name) => {
    const at = timeOfName(name)
    return seriesOfName(name) === series && at !== undefined && DateTime.isGreaterThanOrEqualTo(at, oldest)
  })
})

/** The removals in an installation's lists since a moment, and some from before it. */
export const readErasures = Effect.fn("ErasureFiles.read")(function*(
  place: Place,
  series: string,
  since: DateTime.Utc,
  opening: Opening
) {
  const lists = yield* listsSince(place, series, since)
  return (yield* Effect.forEach(lists, (name) => readList(place, name, opening))).flat()
})

/** The time of an installation's newest list, or else the start of its oldest backup. Undefined if it has neither. */
export const keptSince = Effect.fnUntraced(function*(place: Place, series: string) {
  const isOurs = (name: string) => seriesOfName(name) === series
  const newest = (yield* place.erasures).findLast(isOurs)
  const oldest = (yield* place.list).map(({ name }) => name).find(isOurs)
  const from = newest ?? oldest
  const at = from === undefined ? undefined : timeOfName(from)
  return at === undefined ? undefined : DateTime.subtractDuration(at, apart)
})

/** Deletes an installation's lists that no backup of it needs any longer, and no copy of a backup of the last year. */
export const deleteOldErasures = Effect.fnUntraced(function*(place: Place, series: string) {
  const oldest = (yield* place.list).map(({ name }) => name).find((name) => seriesOfName(name) === series)
  const at = oldest === undefined ? undefined : timeOfName(oldest)
  if (at === undefined) return
  const yearAgo = DateTime.subtractDuration(yield* DateTime.now, keptFor)
  const needed = new Set(yield* listsSince(place, series, DateTime.min(at, yearAgo)))
  const old = (yield* place.erasures).filter((name) => seriesOfName(name) === series && !needed.has(name))
  yield* Effect.forEach(old, place.remove, { discard: true })
})
