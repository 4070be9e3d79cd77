import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { at } from "./Clubs.ts"
import type { Imported, Sale, Shop } from "./Shop.ts"
import type { Post } from "./Target.ts"

const Purchase = Schema.Struct({
  id: Schema.String,
  external_id: Schema.String,
  status: Schema.String,
  given: Schema.Int,
  revoked: Schema.Int
})
const Student = Schema.Struct({ id: Schema.String, email: Schema.String, given: Schema.Int })
const Import = Schema.Struct({ id: Schema.String, finished: Schema.Boolean, processed: Schema.Int, total: Schema.Int })
const Inbound = Schema.Struct({ outcome: Schema.String, count: Schema.Int })
const Access = Schema.Struct({ id: Schema.String, granted: Schema.Int, lost: Schema.Int, regained: Schema.Int })

const rowsOf = <S extends Schema.Top>(schema: S) => Schema.decodeUnknownEffect(Schema.Array(schema))

/** The shop's rows in the database at the end. */
export const readBooks = Effect.fn("readBooks")(function*({ id: club_id }: Shop) {
  const sql = yield* SqlClient.SqlClient
  const count = (kind: string) =>
    sql`(select count(*)::int from access_events a where a.club_id = ${club_id} and a.enrollment_id = e.id and a.kind = ${kind})`
  return {
    purchases: yield* sql`
      select p.id, p.external_id, p.status, count(e.id)::int as given, count(e.revoked_at)::int as revoked
      from purchases p left join enrollments e on e.club_id = p.club_id and e.purchase_id = p.id
      where p.club_id = ${club_id} group by p.id, p.external_id, p.status`.pipe(Effect.flatMap(rowsOf(Purchase))),
    students: yield* sql`
      select s.id, s.email, (
        select count(*)::int from enrollments e
        where e.club_id = s.club_id and e.student_id = s.id and e.revoked_at is null
      ) as given
      from students s where s.club_id = ${club_id}`.pipe(Effect.flatMap(rowsOf(Student))),
    imports: yield* sql`
      select id, finished_at is not null as finished, created + existing + failed as processed, total
      from student_imports where club_id = ${club_id}`.pipe(Effect.flatMap(rowsOf(Import))),
    inbound: yield* sql`
      select outcome, count(*)::int as count from inbound_events where club_id = ${club_id} group by outcome
      order by outcome`.pipe(Effect.flatMap(rowsOf(Inbound))),
    accesses: yield* sql`
      select e.id, ${count("granted")} as granted, ${count("revoked")} as lost, ${count("restored")} as regained
      from enrollments e where e.club_id = ${club_id}`.pipe(Effect.flatMap(rowsOf(Access)))
  }
}, Effect.orDie)
export type Books = Effect.Success<ReturnType<typeof readBooks>>

/** Counts the events of each type about each thing. An event that was received more than once counts once. */
const toldOf = (posts: ReadonlyArray<Post>, path: string) => {
  const events =
    new Map(posts.filter((post) => post.path === path && post.status === 200).map((post) => [post.event, post]))
  const counts = new Map<string, number>()
  for (const { body } of events.values()) {
    const { data, type } = Object(JSON.parse(body))
    const about = at(data, "purchase", "external_id") ?? at(data, "enrollment", "id") ?? at(data, "student", "id")
    const key = `${type} ${about}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return (type: string, about: string) => counts.get(`${type} ${about}`) ?? 0
}

/** The accepted posts of each sale give one purchase with its events and its access, and nothing else. */
const salesOf = (sales: ReadonlyArray<Sale>, { purchases }: Books, told: ReturnType<typeof toldOf>) =>
  sales.flatMap(({ accepted, transaction, tried }) => {
    const rows = purchases.filter(({ external_id }) => external_id === transaction)
    const [paid, refunded] = [told("purchase.paid", transaction), told("purchase.refunded", transaction)]
    const found = {
      purchases: rows.length,
      paid,
      refunded,
      given: rows[0]?.given ?? 0,
      revoked: rows[0]?.revoked ?? 0
    }
    const maybe = (of: (kind: Set<"PURCHASE_APPROVED" | "PURCHASE_COMPLETE" | "PURCHASE_REFUNDED">) => boolean) => ({
      sure: of(accepted) ? 1 : 0,
      most: of(tried) ? 1 : 0
    })
    const sold = maybe((kinds) => kinds.has("PURCHASE_APPROVED") || kinds.has("PURCHASE_COMPLETE"))
    const back = maybe((kinds) => kinds.has("PURCHASE_REFUNDED"))
    const is = (value: number, { most, sure }: typeof sold) => value >= sure && value <= most
    const good = is(paid, sold) && is(refunded, back) && found.given === paid &&
      found.revoked === (paid === 1 ? refunded : 0) && rows.length === Math.max(paid, refunded)
    return good ? [] : [`${transaction}: ${JSON.stringify(found)} of ${[...accepted].join()} in ${[...tried].join()}`]
  })

/** Every accepted list is finished. Each address became one student with one event and the access of the list. */
const importsOf = (
  imports: ReadonlyArray<Imported>,
  { imports: rows, students }: Books,
  told: ReturnType<typeof toldOf>,
  known: string
) => {
  const done = new Set(rows.filter(({ finished, processed, total }) => finished && processed === total && total === 7)
    .map(({ id }) => id))
  const byEmail = Map.groupBy(students, ({ email }) => email)
  return [
    ...imports.filter(({ id }) => !done.has(id)).map(({ id }) => `import ${id} is not done`),
    ...[...new Set(imports.flatMap(({ emails }) => emails))].flatMap((email) => {
      const [student, ...more] = byEmail.get(email) ?? []
      return student !== undefined && more.length === 0 ? [] : [`${email}: ${more.length} more`]
    }),
    ...students.filter(({ id }) => id !== known && told("student.created", id) !== 1)
      .map(({ email, id }) => `${email} was told of ${told("student.created", id)} times`)
  ]
}

/** The history of each access agrees with the events that receivers got. */
const accessesOf = ({ accesses }: Books, told: ReturnType<typeof toldOf>) =>
  accesses.flatMap(({ granted, id, lost, regained }) => {
    const heard = [told("access.granted", id), told("access.revoked", id), told("access.restored", id)]
    return granted === 1 && `${heard}` === `${[granted, lost, regained]}`
      ? []
      : [`${id}: ${heard}, not ${[granted, lost, regained]}`]
  })

/** The problems in the books of the shop. */
export const audit = (
  shop: Shop,
  { imports, sales }: { readonly imports: ReadonlyArray<Imported>; readonly sales: ReadonlyArray<Sale> },
  books: Books,
  posts: ReadonlyArray<Post>
) => {
  const told = toldOf(posts, shop.path)
  return {
    missold: salesOf(sales, books, told),
    misimported: importsOf(imports, books, told, shop.student_id),
    mistold: accessesOf(books, told)
  }
}
