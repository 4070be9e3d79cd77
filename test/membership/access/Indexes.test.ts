import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventId } from "../../../src/events/EventType.ts"
import { accessEraser } from "../../../src/membership/access/AccessEraser.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { EnrollmentsRepo } from "../../../src/membership/access/EnrollmentsRepo.ts"
import { enrollmentsOfEvents, enrollmentsOfSales } from "../../../src/membership/access/EventEnrollments.ts"
import { Lapses } from "../../../src/membership/access/Lapses.ts"
import { makeCatalogDelivery, makeEnrollment, makeStudent } from "../../harness/Makers.ts"
import { AccessLayer, inDays, makePurchase, makeSubscription, openCatalog } from "./AccessLayer.ts"

const rows = 20_000

const Reads = Schema.Array(Schema.Struct({ table: Schema.String, read: Schema.NumberFromString }))

// Counts the rows that this connection has scanned but not reported yet. The test compares two readings.
const scans = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const counts = yield* sql`
    select relname as "table", seq_tup_read::text as read from pg_stat_xact_user_tables
  `.pipe(Effect.flatMap(Schema.decodeUnknownEffect(Reads)))
  return new Map(counts.map(({ read, table }) => [table, read]))
})

/** The tables that this work scans, in a transaction of its own. */
const scannedBy = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    const before = yield* scans
    yield* work
    const after = yield* scans
    return [...after].filter(([table, read]) => read - (before.get(table) ?? 0) >= rows / 2).map(([table]) => table)
  }))
})

/** Many students of one club, each with an expired access that is noted, and a line of history. */
const fill = Effect.fnUntraced(function*(
  club: { readonly id: string },
  delivery: { readonly id: string }
) {
  const sql = yield* SqlClient.SqlClient
  const at = new Date(0)
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select ${club.id}, gen_random_uuid(), 's' || n || '@many.example', 'Many', ${at} from generate_series(1, ${rows}) n`
  yield* sql`
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, expires_at, created_at, lapse_noted)
    select club_id, gen_random_uuid(), id, ${delivery.id}, 'import', ${new Date(-2)}, ${new Date(-1)}, ${at}, true
    from students where club_id = ${club.id}`
  yield* sql`
    insert into access_events (club_id, id, student_id, enrollment_id, kind, occurred_at)
    select club_id, gen_random_uuid(), student_id, id, 'expired', ${at} from enrollments`
  yield* sql`analyze`
})

const TestLayer = Layer.merge(EnrollmentsRepo.layer, Lapses.layer).pipe(Layer.provideMerge(AccessLayer))

layer(TestLayer)("On large tables", (it) => {
  it.effect("every query about access finds its rows by an index", () =>
    Effect.gen(function*() {
      const { club, delivery, student } = yield* openCatalog({ free: true })
      yield* fill(club, delivery)
      const club_id = club.id
      const enrollments = yield* Enrollments
      const { hasAnother } = yield* EnrollmentsRepo
      const { note } = yield* Lapses
      const [ofEvents, ofSales, eraser] = yield* Effect.all([enrollmentsOfEvents, enrollmentsOfSales, accessEraser])
      const subscription = yield* makeSubscription(club, student)
      const purchase = yield* makePurchase(club, student, subscription)
      const second = yield* makeCatalogDelivery(club)
      const { id } = yield* makeEnrollment(club, student, second, { expires_at: yield* inDays(3) })
      const other = yield* makeStudent(club)
      const place = { student_id: other.id, delivery_id: second.id, cohort_id: null, source: "grant" as const }
      const event_id = EventId.make(id)
      const work: Record<string, Effect.Effect<unknown, unknown>> = {
        "a grant": enrollments.grant(club_id, place, {}),
        "many grants": enrollments.grantAll(club_id, [{ ...place, student_id: student.id }], {}),
        "free deliveries": enrollments.grantFree(club_id, [{ student_id: student.id }, { student_id: other.id }]),
        "an enrollment": enrollments.get(club_id, id),
        "a revocation": enrollments.revoke(club_id, id, { reason: "Why" }),
        "its undoing": enrollments.restore(club_id, id, {}),
        "whether there is another": hasAnother(
          club_id,
          { id, student_id: student.id, delivery_id: second.id },
          yield* inDays(1)
        ),
        "a move": enrollments.move(club_id, id, null, {}),
        "a new end": enrollments.endAt(club_id, id, null, {}),
        "a student's access": enrollments.ofStudent(club_id, student.id),
        "a purchase's": enrollments.ofSale(club_id, purchase),
        "a subscription's": enrollments.ofSale(club_id, subscription),
        "an event's": ofEvents([{ club_id, id: event_id, fact: { enrollment_id: id } }]),
        "those of an event about a sale": ofSales([{ club_id, id: event_id, ...purchase, ...subscription }]),
        "ends to note": note,
        "a removal": eraser.erase({ club_id, student_id: student.id, email: student.email })
      }
      for (const [name, one] of Object.entries(work)) assert.deepStrictEqual(yield* scannedBy(one), [], name)
      // The measure detects a scan.
      const sql = yield* SqlClient.SqlClient
      const scan = sql`select count(*) from enrollments where source = 'import' and lapse_noted`
      assert.deepStrictEqual(yield* scannedBy(scan), ["enrollments"])
    }))
})
