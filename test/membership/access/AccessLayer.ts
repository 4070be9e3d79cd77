import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Events } from "../../../src/events/Events.ts"
import { EventSources } from "../../../src/events/EventSources.ts"
import { Outbox } from "../../../src/events/Outbox.ts"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { accessEvents } from "../../../src/membership/access/AccessEvents.ts"
import { AccessEvent, EnrollmentId, RevokeReason } from "../../../src/membership/access/Enrollment.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { CohortId } from "../../../src/membership/catalog/Delivery.ts"
import { GrantableDeliveries } from "../../../src/membership/catalog/GrantableDeliveries.ts"
import { studentEvents } from "../../../src/membership/students/StudentEvents.ts"
import { WebhookErasureLayer } from "../../../src/webhooks/engine/retention/WebhookErasure.ts"
import { makeCatalogDelivery, makeClub, makeStudent } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

/** Enrollments and their events, on a separate database. */
export const AccessLayer = Enrollments.layer.pipe(
  Layer.provideMerge(GrantableDeliveries.layer),
  Layer.provideMerge(Layer.merge(Events.layer, Outbox.layer)),
  Layer.provideMerge(EventSources.layer([accessEvents, studentEvents])),
  Layer.provideMerge(WebhookErasureLayer),
  Layer.provideMerge(PostgresLayer)
)

/** A club with a student, and a delivery that no student has. */
export const openCatalog = Effect.fn("openCatalog")(function*(
  given: Parameters<typeof makeCatalogDelivery>[1] = {}
) {
  const club = yield* makeClub()
  return { club, student: yield* makeStudent(club), delivery: yield* makeCatalogDelivery(club, given) }
})

/** The time in this many days. A negative number is in the past. */
export const inDays = (days: number) => Effect.map(DateTime.now, DateTime.addDuration(Duration.days(days)))

const newId = Effect.gen(function*() {
  return yield* (yield* SecureRandom.SecureRandom).uuidV7()
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

/** A subscription of the student, as sales store it. */
export const makeSubscription = Effect.fn("makeSubscription")(function*(
  club: { readonly id: ClubId },
  student: { readonly id: StudentId }
) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* newId
  yield* sql`
    insert into subscriptions ${
    sql.insert({
      club_id: club.id,
      id,
      student_id: student.id,
      platform: "generic",
      external_id: id,
      status: "active",
      product_external_id: "1",
      created_at: DateTime.toDateUtc(yield* DateTime.now)
    })
  }`
  return { subscription_id: id }
})

/** A purchase of the student, as sales store it. */
export const makePurchase = Effect.fn("makePurchase")(function*(
  club: { readonly id: ClubId },
  student: { readonly id: StudentId },
  given: { readonly subscription_id?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* newId
  yield* sql`
    insert into purchases ${
    sql.insert({
      ...given,
      club_id: club.id,
      id,
      student_id: student.id,
      platform: "generic",
      external_id: id,
      status: "paid",
      product_external_id: "1",
      created_at: DateTime.toDateUtc(yield* DateTime.now)
    })
  }`
  return { purchase_id: id }
})

const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)
const StoredEnrollment = Schema.Struct({
  id: EnrollmentId,
  starts_at: Schema.DateTimeUtcFromDate,
  expires_at: Moment,
  revoked_at: Moment,
  revoke_reason: Schema.NullOr(RevokeReason),
  cohort_id: Schema.NullOr(CohortId),
  lapse_noted: Schema.Boolean
})

/** The club's enrollments as the database stores them, oldest first. */
export const storedIn = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select * from enrollments where club_id = ${club.id} order by id`
  return yield* Schema.decodeUnknownEffect(Schema.Array(StoredEnrollment))(rows)
})

/** The club's history, oldest first. */
export const historyIn = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select * from access_events where club_id = ${club.id} order by id`
  return yield* Schema.decodeUnknownEffect(Schema.Array(AccessEvent))(rows)
})

export const kindsOf = (history: ReadonlyArray<{ readonly kind: string }>) => history.map(({ kind }) => kind)

/** The history without the ids of its lines. */
export const linesOf = (history: ReadonlyArray<AccessEvent>) =>
  history.map((event) => {
    const { id: _, ...line } = event
    return line
  })
