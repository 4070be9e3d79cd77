import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Delivery = Schema.Struct({
  id: Schema.String,
  event: Schema.String,
  url: Schema.String,
  status: Schema.String,
  owed: Schema.Boolean,
  attempts_count: Schema.Int
})
const Attempt = Schema.Struct({
  delivery_id: Schema.String,
  number: Schema.Int,
  status_code: Schema.NullOr(Schema.Int),
  started_at: Schema.DateTimeUtcFromDate,
  duration_ms: Schema.Int,
  /** The sum of all its phases; null without a connection. */
  phases_ms: Schema.NullOr(Schema.Int)
})
const Busy = Schema.Struct({
  facts: Schema.Int,
  owed: Schema.Int,
  leased: Schema.Int,
  due: Schema.Int,
  inbound: Schema.Int,
  imports: Schema.Int,
  answers: Schema.Int,
  material: Schema.Int,
  recoveries: Schema.Int,
  gradings: Schema.Int
})

/** A delivery with its attempts, first to last. */
export type Entry = typeof Delivery.Type & {
  readonly path: string
  readonly attempts: ReadonlyArray<typeof Attempt.Type>
}

/** All deliveries in the database at the end. */
export const readLedger = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const deliveries = yield* Schema.decodeUnknownEffect(Schema.Array(Delivery))(yield* sql`
      select d.id, d.event_id as event, e.url, d.status, d.next_attempt_at is not null as owed, d.attempts_count
      from webhook_deliveries d join webhook_endpoints e on e.club_id = d.club_id and e.id = d.endpoint_id`)
  const attempts = yield* Schema.decodeUnknownEffect(Schema.Array(Attempt))(yield* sql`
      select delivery_id, number, status_code, started_at, duration_ms, case
          when coalesce(lookup_ms, connect_ms, tls_ms, send_ms, wait_ms, read_ms) is not null
            then coalesce(lookup_ms, 0) + coalesce(connect_ms, 0) + coalesce(tls_ms, 0) + coalesce(send_ms, 0) +
              coalesce(wait_ms, 0) + coalesce(read_ms, 0)
        end as phases_ms
      from webhook_attempts
      order by delivery_id, number, id`)
  const of = Map.groupBy(attempts, ({ delivery_id }) => delivery_id)
  return deliveries.map((delivery): Entry => ({
    ...delivery,
    path: new URL(delivery.url).pathname,
    attempts: of.get(delivery.id) ?? []
  }))
}).pipe(Effect.orDie)

/**
 * The work that has not ended: facts, deliveries with a next attempt, and leased or due lanes. Also posts of platforms,
 * imports, answers of the assistant, lessons to index again, recoveries and gradings.
 */
export const readBusy = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* Schema.decodeUnknownEffect(Schema.Tuple([Busy]))(yield* sql`
      select (select count(*) from event_outbox)::int as facts,
        (select count(*) from webhook_deliveries where next_attempt_at is not null or status = 'pending')::int as owed,
        (select count(*) from webhook_lanes where lease_id is not null)::int as leased,
        (select count(*) from webhook_lanes where due_at is not null)::int as due,
        (select count(*) from inbound_events where due_at is not null)::int as inbound,
        (select count(*) from student_imports where due_at is not null)::int as imports,
        (select count(*) from messages where status = 'generating')::int as answers,
        (select count(*) from material_queue)::int as material,
        (select count(*) from webhook_recoveries where due_at is not null)::int as recoveries,
        (select count(*) from webhook_gradings where due_at is not null)::int as gradings`)
  return row
})

const each = (count: number): typeof Busy.Type => ({
  facts: count,
  owed: count,
  leased: count,
  due: count,
  inbound: count,
  imports: count,
  answers: count,
  material: count,
  recoveries: count,
  gradings: count
})

/** No work remains. */
export const nothingLeft = each(0)

const unknown = each(-1)

/** Ends once no work remains. After so many seconds it answers the work that remains. */
export const settled = (seconds: number) =>
  readBusy.pipe(
    // The database may have restarted just now.
    Effect.catchCause(() => Effect.succeed(unknown)),
    Effect.delay("100 millis"),
    Effect.repeat({
      until: (busy) => Object.values(busy).every((count) => count === 0),
      times: seconds * 10
    })
  )
