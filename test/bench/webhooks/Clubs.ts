import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { LaneChanges } from "../../../src/webhooks/engine/lane/LaneChanges.ts"
import { bindingOfSecret, EndpointId } from "../../../src/webhooks/model/EndpointId.ts"
import { attemptsTable, deliveriesTable, messagesTable } from "../../../src/webhooks/model/WebhookTables.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"

/** An endpoint of a club at this URL, with its secret sealed as in production. */
const makeEndpoint = Effect.fn("makeEndpoint")(function*(
  club_id: ClubId,
  slot: number,
  url: string,
  { secret, status }: { readonly secret: Uint8Array; readonly status: "enabled" | "paused" }
) {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const lanes = yield* LaneChanges
  const random = yield* SecureRandom.SecureRandom
  const id = EndpointId.make(yield* random.uuidV7())
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const sealed = yield* sealing.seal(secret, bindingOfSecret(id))
  yield* sql`
    insert into webhook_endpoints (club_id, id, slot, url, description, event_types, status, secret, created_at, updated_at)
    values (${club_id}, ${id}, ${slot}, ${url}, '', array['student.created', 'student.updated'], ${status},
      ${sealed}, ${now}, ${now})`
  yield* lanes.open({ club_id, endpoint_id: id })
  return id
})

/** A club with a student and one endpoint for each of these URLs, at most 20. */
export const makeBenchClub = Effect.fn("makeBenchClub")(function*(
  urls: ReadonlyArray<string>,
  { secret, status = "enabled" }: { readonly secret: Uint8Array; readonly status?: "enabled" | "paused" }
) {
  const { id: club_id } = yield* makeClub()
  const student = yield* makeStudent({ id: club_id })
  const endpoints = yield* Effect.forEach(
    urls,
    (url, index) => makeEndpoint(club_id, index + 1, url, { secret, status })
  )
  return { club_id, student_id: student.id, endpoints }
})
export type BenchClub = Effect.Success<ReturnType<typeof makeBenchClub>>

/** The body that every contender sends: about 600 bytes, an event about a student with a long name and address. */
export const exampleBody = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const occurred_at = DateTime.formatIso(yield* DateTime.now)
  const student = {
    id: yield* random.uuidV7(),
    name: `Maria Aparecida ${"da Conceição Albuquerque ".repeat(6)}Lima`,
    email: `maria.aparecida.da.conceicao.${"albuquerque.".repeat(5)}lima@cursos.violao-facil.example`,
    verified: true,
    created_at: occurred_at
  }
  return JSON.stringify({
    id: yield* random.uuidV7(),
    type: "student.created",
    occurred_at,
    club_id: yield* random.uuidV4(),
    data: { student, origin: "registration_link" }
  })
})

/** Makes the partitions for current rows. */
export const ensurePartitions = Effect.gen(function*() {
  const partitions = yield* Partitions
  yield* partitions.ensure([messagesTable, deliveriesTable, attemptsTable], yield* DateTime.now)
})

/** Assembled messages with this body, each with a delivery due to the next endpoint in turn. Lanes stay asleep. */
export const fillPending = Effect.fn("fillPending")(
  function*({ club_id, endpoints, student_id }: BenchClub, count: number, body: string) {
    const sql = yield* SqlClient.SqlClient
    const now = DateTime.toDateUtc(yield* DateTime.now)
    yield* ensurePartitions
    yield* sql`
      with new as materialized (
        select uuidv7() as event_id, (${endpoints}::uuid[])[1 + n % ${endpoints.length}::int] as endpoint_id
        from generate_series(0, ${count}::int - 1) n
      ), written as (
        insert into webhook_messages (club_id, id, type, student_id, occurred_at, created_at, body)
        select ${club_id}::uuid, event_id, 'student.created', ${student_id}::uuid, ${now}::timestamptz,
          ${now}::timestamptz, ${Buffer.from(body)}::bytea
        from new
      )
      insert into webhook_deliveries (
        club_id, endpoint_id, id, event_id, event_type, student_id, status, trigger, next_attempt_at, created_at
      )
      select ${club_id}::uuid, endpoint_id, uuidv7(), event_id, 'student.created', ${student_id}::uuid, 'pending',
        'schedule', ${now}::timestamptz, ${now}::timestamptz
      from new`
    yield* sql`vacuum (analyze) webhook_messages`
    yield* sql`vacuum (analyze) webhook_deliveries`
    yield* sql`vacuum (analyze) webhook_attempts`
    yield* sql`checkpoint`
  },
  Effect.orDie
)

/** Wakes a club's lanes, as an assembly does. */
export const wakeAll = Effect.fn("wakeAll")(function*({ club_id, endpoints }: BenchClub) {
  const lanes = yield* LaneChanges
  yield* lanes.wake(endpoints.map((endpoint_id) => ({ club_id, endpoint_id })), { requested: false })
})

/** Ends once no lane of the club has pending or leased work: every delivery is sent and recorded. */
export const untilIdle = Effect.fn("untilIdle")(function*({ club_id }: BenchClub) {
  const sql = yield* SqlClient.SqlClient
  const busy = sql`
    select 1 from webhook_lanes where club_id = ${club_id} and (due_at is not null or lease_id is not null) limit 1`
  yield* busy.pipe(
    Effect.orDie,
    Effect.flatMap((rows) => rows.length === 0 ? Effect.succeed(true) : Effect.as(Effect.sleep("20 millis"), false)),
    Effect.repeat({ until: (idle) => idle })
  )
})
