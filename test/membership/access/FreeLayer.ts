import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { FreeDeliveries } from "../../../src/membership/access/FreeDeliveries.ts"
import { CatalogDeliveries } from "../../../src/membership/catalog/CatalogDeliveries.ts"
import { DeliveryItems } from "../../../src/membership/catalog/DeliveryItems.ts"
import { StudentAccounts } from "../../../src/membership/students/StudentAccounts.ts"
import { outboxOf } from "../../events/EventsLayer.ts"
import { AccessLayer } from "./AccessLayer.ts"

/** The catalog's deliveries and the accesses to free ones, on a separate database. */
export const FreeLayer = Layer.mergeAll(CatalogDeliveries.layer, FreeDeliveries.layer, StudentAccounts.layer).pipe(
  Layer.provide(DeliveryItems.layer<never>([])),
  Layer.provideMerge(AccessLayer)
)
/** Makes this many students of the club in one statement. */
export const makeStudents = Effect.fnUntraced(function*(club: { readonly id: ClubId }, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select ${club.id}::uuid, gen_random_uuid(), n || '@student.example', 'Bia Lima', ${new Date(0)}::timestamptz
    from generate_series(1, ${count}::int) as n`
})

const Counts = Schema.Struct({
  students: Schema.Int,
  enrolled: Schema.Int,
  accesses: Schema.Int,
  free: Schema.Int
})
const decodeCounts = Schema.decodeUnknownEffect(Schema.Tuple([Counts]))

/** Counts the club's students, those with an access, all accesses, the free ones, and the events about them. */
export const standing = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select (select count(*)::int from students where club_id = ${club.id}) as students,
      count(distinct student_id)::int as enrolled, count(*)::int as accesses,
      (count(*) filter (where source = 'free'))::int as free
    from enrollments where club_id = ${club.id}`
  const [counts] = yield* decodeCounts(rows)
  const events = (yield* outboxOf(club)).filter(({ type }) => type === "access.granted")
  return { ...counts, events: events.length }
})

/** The counts if every student has one free access and one event. */
export const everybody = (count: number) => ({
  students: count,
  enrolled: count,
  accesses: count,
  free: count,
  events: count
})

/** Works one batch. */
export const tick = Effect.flatMap(FreeDeliveries, ({ tick }) => tick)
/** Works batches until no student lacks a free access. */
export const allTicks = Effect.repeat(tick, { while: (worked) => worked > 0 })

/** A delivery of the club, free by default. */
export const createDelivery = (club: { readonly id: ClubId }, free = true) =>
  CatalogDeliveries.use((deliveries) =>
    deliveries.create(club.id, { name: "Free", free, default_access_days: null, items: [] })
  )

/** A student who registers. */
export const newcomer = (n: number) => ({
  email: `new-${n}@student.example`,
  name: "Caio Reis",
  password_hash: "hash",
  verified_at: DateTime.makeUnsafe(0)
})
