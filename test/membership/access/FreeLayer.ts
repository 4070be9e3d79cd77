import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { FreeDeliveries } from "../../../src/membership/access/FreeDeliveries.ts"
import { CatalogDeliveries } from "../../../src/membership/catalog/CatalogDeliveries.ts"
import { DeliveryItems } from "../../../src/membership/catalog/DeliveryItems.ts"
import { Students } from "../../../src/membership/students/Students.ts"
import { outboxOf } from "../../events/EventsLayer.ts"
import { AccessLayer } from "./AccessLayer.ts"

/** The catalog's deliveries and who is given them, on a database of their own. */
export const FreeLayer = Layer.mergeAll(CatalogDeliveries.layer, FreeDeliveries.layer, Students.layer).pipe(
  Layer.provide(DeliveryItems.layer<never>([])),
  Layer.provideMerge(AccessLayer)
)
/** So many students of the club, in one statement. */
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

/** How many of the club's students there are, have an access, have one that is free; and how many events there are. */
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

/** Every student has one free access, and everybody was told once. */
export const everybody = (count: number) => ({
  students: count,
  enrolled: count,
  accesses: count,
  free: count,
  events: count
})

/** One batch. */
export const tick = Effect.flatMap(FreeDeliveries, ({ tick }) => tick)
/** Batches until nothing is left to give. */
export const allTicks = Effect.repeat(tick, { while: (worked) => worked > 0 })

/** A delivery of the club, a free one unless it is said. */
export const createDelivery = (club: { readonly id: ClubId }, free = true) =>
  CatalogDeliveries.use((deliveries) =>
    deliveries.create(club.id, { name: "Free", free, default_access_days: null, items: [] })
  )

/** Somebody who registers. */
export const newcomer = (n: number) => ({
  email: `new-${n}@student.example`,
  name: "Caio Reis",
  password_hash: "hash",
  verified_at: DateTime.makeUnsafe(0)
})
