import { DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventData } from "../../../../src/events/EventData.ts"
import { eventSource } from "../../../../src/events/EventSources.ts"
import { exampleData } from "../../../../src/events/ExampleData.ts"
import type { FactOf } from "../../../../src/events/Fact.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../../src/identity/ids/StudentId.ts"
import { ClockGuard } from "../../../../src/platform/jobs/ClockGuard.ts"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { Assembler } from "../../../../src/webhooks/events/assembly/Assembler.ts"
import { EndpointId } from "../../../../src/webhooks/model/EndpointId.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { eventsLayer } from "../../../events/EventsLayer.ts"

const courses = new Map<string, Effect.Effect<boolean>>()

const course = Schema.decodeSync(eventData["course.completed"])(exampleData["course.completed"])

// A stand-in for another feature: the test decides what happens when it reads a course.
const coursesSource = eventSource(
  "course.completed",
  Effect.fnUntraced(function*(facts) {
    const found = []
    for (const { fact: { completed_at, course_id }, id } of facts) {
      if (yield* courses.get(course_id) ?? Effect.succeed(true)) {
        const data = {
          ...course,
          completed_at,
          course: { id: course_id, title: "Acordes", document: "123.456.789-09" }
        }
        found.push([id, data] as const)
      }
    }
    return new Map(found)
  })
)

/** The services of an assembly, on a new database, with this guard of the clock. */
export const guardedAssemblyLayer = <E, R>(guard: Layer.Layer<ClockGuard, E, R>) =>
  Assembler.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(guard, Partitions.layer, LaneChanges.layer, WebhookRules.layer)),
    Layer.provideMerge(eventsLayer(coursesSource)),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )

/** The services of an assembly, on a new database. */
export const assemblyLayer = guardedAssemblyLayer(ClockGuard.layer)

const newId = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

/** The fact that a student completed a course. `onRead` runs when the course is read; false: the course is missing. */
export const completed = Effect.fnUntraced(function*(
  student: { readonly id: StudentId },
  onRead: Effect.Effect<boolean> = Effect.succeed(true)
) {
  const course_id = yield* newId
  courses.set(course_id, onRead)
  const fact: FactOf<"course.completed"> = {
    type: "course.completed",
    student_id: student.id,
    course_id,
    completed_at: yield* DateTime.now
  }
  return fact
})

/** An endpoint and its lane, each in a slot of its own. */
export const makeEndpoint = Effect.fn("makeEndpoint")(function*(
  club: { readonly id: ClubId },
  given: {
    readonly event_types?: ReadonlyArray<string>
    readonly status?: "enabled" | "paused" | "disabled"
    readonly deleted?: boolean
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { deleted = false, event_types = ["student.created"], status = "enabled" } = given
  const id = EndpointId.make(yield* newId)
  const at = DateTime.toDateUtc(yield* DateTime.now)
  const secret = new Uint8Array([1])
  yield* sql`
    insert into webhook_endpoints (
      club_id, id, slot, url, description, event_types, status, disabled_reason, disabled_at, secret, deleted_at,
      created_at, updated_at
    )
    select ${club.id}::uuid, ${id}::uuid, count(*) + 1, 'https://hooks.example/in', '', ${event_types}::text[],
      ${status}::text, ${status === "disabled" ? "manual" : null}::text, ${
    status === "disabled" ? at : null
  }::timestamptz,
      ${deleted ? null : secret}::bytea, ${deleted ? at : null}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    from webhook_endpoints where club_id = ${club.id}`
  yield* Effect.flatMap(LaneChanges, ({ open }) => open({ club_id: club.id, endpoint_id: id }))
  return id
})

/** Lets the wait of the facts pass and assembles them. Returns their number. */
export const assembleDue = Effect.fnUntraced(function*(limit?: number) {
  yield* TestClock.adjust("2 seconds")
  return yield* Effect.flatMap(Assembler, ({ assemble }) => assemble(limit))
})

const Instant = Schema.DateTimeUtcFromDate

const Delivery = Schema.Struct({
  endpoint_id: Schema.String,
  id: Schema.String,
  event_id: Schema.String,
  event_type: Schema.String,
  student_id: Schema.String,
  status: Schema.String,
  cancel_reason: Schema.NullOr(Schema.String),
  body_erased: Schema.Boolean,
  trigger: Schema.String,
  next_attempt_at: Schema.NullOr(Instant),
  created_at: Instant,
  finished_at: Schema.NullOr(Instant)
})

/** The deliveries of a club. */
export const deliveriesOf = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select endpoint_id, id, event_id, event_type, student_id, status, cancel_reason, body_erased, trigger,
      next_attempt_at, created_at, finished_at
    from webhook_deliveries where club_id = ${club.id} order by id`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Delivery))(rows)
})

const Message = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  student_id: Schema.String,
  occurred_at: Instant,
  created_at: Instant,
  body: Schema.NullOr(Schema.String)
})

/** The messages of a club, with the text of their bodies. */
export const messagesOf = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select id, type, student_id, occurred_at, created_at, convert_from(body, 'UTF8') as body
    from webhook_messages where club_id = ${club.id} order by id`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Message))(rows)
})
