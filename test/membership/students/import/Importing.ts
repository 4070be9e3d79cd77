import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { ImportQueue } from "../../../../src/membership/students/import/ImportQueue.ts"
import { ImportsRepo } from "../../../../src/membership/students/import/ImportsRepo.ts"
import { ImportWork } from "../../../../src/membership/students/import/ImportWork.ts"
import { AppLayer, at, foundClub, listAt, send } from "../../../harness/App.ts"
import { makeCatalogDelivery } from "../../../harness/Makers.ts"

/** The API with its services, and the queue, which the tests drive. */
export const ImportLayer = Layer.mergeAll(
  ImportQueue.layer,
  ImportsRepo.layer,
  ImportWork.layer,
  SecureRandom.layerWebCrypto
).pipe(Layer.provideMerge(AppLayer))

export type Apply = ImportWork["Service"]["apply"]

/** One chunk, by a worker with another way to apply it. */
export const tickWith = (apply: (real: Apply) => Apply) =>
  Effect.gen(function*() {
    const real = yield* ImportWork
    const queue = Layer.provide(ImportQueue.layerNoDeps, Layer.succeed(ImportWork, { apply: apply(real.apply) }))
    return yield* Effect.flatMap(ImportQueue, ({ tick }) => tick).pipe(Effect.provide(Layer.fresh(queue)))
  }).pipe(Effect.provide(Logger.layer([])))

interface Club {
  readonly id: ClubId
  readonly path: string
  readonly token: string
}

/** A club with two deliveries, Violão and Harmonia. */
export const openClub = Effect.gen(function*() {
  const club = yield* foundClub()
  const violao = yield* makeCatalogDelivery(club, { name: "Violão" })
  yield* makeCatalogDelivery(club, { name: "Harmonia" })
  return { ...club, violao }
})

const Import = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  dry_run: Schema.Boolean,
  total: Schema.Int,
  processed: Schema.Int,
  created: Schema.Int,
  existing: Schema.Int,
  granted: Schema.Int,
  failed: Schema.Int,
  unknown_columns: Schema.Array(Schema.String),
  actor_user_id: Schema.String,
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
})

const importIn = (answer: { readonly json: unknown }) =>
  Schema.decodeUnknownEffect(Import)(at(answer.json, "data"), { onExcessProperty: "error" })

/** Sends the rows, or the text of a file. Answers the import. */
export const sendRows = Effect.fn("sendRows")(function*(
  club: Club,
  rows: ReadonlyArray<object> | string,
  { dry_run = false } = {}
) {
  const path = `${club.path}/students/imports${dry_run ? "?dry_run=true" : ""}`
  const sent = typeof rows === "string"
    ? { body: rows, headers: { "content-type": "text/csv" } }
    : { body: { rows } }
  const answer = yield* send("POST", path, { ...sent, token: club.token })
  assert.strictEqual(answer.status, 202, answer.text)
  return yield* importIn(answer)
})

/** Works until no chunk is due. Answers the number of chunks. */
export const workAll = Effect.gen(function*() {
  const { tick } = yield* ImportQueue
  let chunks = 0
  while ((yield* tick) > 0) chunks += 1
  return chunks
})

/** The import in its current state. */
export const readImport = Effect.fn("readImport")(function*(club: Club, id: string) {
  return yield* importIn(yield* send("GET", `${club.path}/students/imports/${id}`, { token: club.token }))
})

/** The errors that the API lists, over all pages: `line field code`. */
export const errorsOf = Effect.fn("errorsOf")(function*(club: Club, id: string) {
  const found: Array<string> = []
  let cursor: unknown = ""
  while (cursor !== null) {
    const query = cursor === "" ? "" : `&cursor=${String(cursor)}`
    const path = `${club.path}/students/imports/${id}/errors?limit=7${query}`
    const { json } = yield* send("GET", path, { token: club.token })
    found.push(...listAt(json, "data").map((one) => `${at(one, "line")} ${at(one, "field")} ${at(one, "code")}`))
    cursor = at(json, "next_cursor") ?? null
  }
  return found
})

/** Sends rows, works all chunks, and answers the import. */
export const importRows = Effect.fn("importRows")(function*(...args: Parameters<typeof sendRows>) {
  const { id } = yield* sendRows(...args)
  yield* workAll
  return yield* readImport(args[0], id)
})

/** The counts of an import's rows by their result. */
export const countsOf = (
  { created, existing, failed, granted, processed, status, total }: typeof Import.Type
) => ({ status, total, processed, created, existing, granted, failed })

/** The counts of a completed import with this many rows. A count that the caller omits is 0. */
export const completed = (
  total: number,
  given: { readonly created?: number; readonly existing?: number; readonly granted?: number; readonly failed?: number }
) => ({ status: "completed", total, processed: total, created: 0, existing: 0, granted: 0, failed: 0, ...given })

const Student = Schema.Struct({ name: Schema.String, email: Schema.String, deliveries: Schema.Array(Schema.String) })

/** The club's students by address, with the deliveries they have. */
export const studentsOf = Effect.fn("studentsOf")(function*({ id }: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select s.name, s.email, array(
      select d.name from enrollments e join deliveries d on d.club_id = e.club_id and d.id = e.delivery_id
      where e.club_id = s.club_id and e.student_id = s.id order by d.name
    ) as deliveries
    from students s where s.club_id = ${id} order by s.email`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Student))(rows)
})

/** This many rows, each for another person. */
export const people = (count: number, given: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ name: `Ana ${n}`, email: `ana${n}@example.com`, ...given }))
