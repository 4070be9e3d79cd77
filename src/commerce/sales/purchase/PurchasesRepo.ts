import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import type { PlatformKey } from "../platform/Platform.ts"
import { PurchaseId, PurchaseRow, type PurchaseStatus } from "./Purchase.ts"

const Named = Schema.Struct({
  /** What the platform calls the charge by its first name. */
  external_id: Schema.String,
  /** Its row, if there is one, and whose it is. */
  id: Schema.NullOr(PurchaseId),
  student_id: Schema.NullOr(StudentId)
})

const decodeNamed = Schema.decodeUnknownEffect(Schema.Tuple([Named]))
const decodePurchases = Schema.decodeUnknownEffect(Schema.Array(PurchaseRow))
const decodeAliases = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ alias: Schema.String })))
const decodeRemoved = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ removed: Schema.Boolean })]))

/** A club on a platform. */
export interface Shop {
  readonly club_id: ClubId
  readonly platform: PlatformKey
}

const dateOf = (at: DateTime.Utc | null) => at === null ? null : DateTime.toDateUtc(at)

/** The tables `purchases` and `purchase_aliases`. Whoever changes a purchase holds its student's row first. */
export class PurchasesRepo extends Context.Service<PurchasesRepo, {
  /** Which charge the platform means. Locks nothing. */
  find(shop: Shop, ref: string): Effect.Effect<typeof Named.Type>
  /** Locks the row until the transaction ends. */
  hold(club_id: ClubId, id: PurchaseId): Effect.Effect<PurchaseRow>
  /** False, and nothing done, if the charge has a row by now. */
  insert(shop: Shop, row: PurchaseRow, status: PurchaseStatus): Effect.Effect<boolean>
  update(club_id: ClubId, row: PurchaseRow, status: PurchaseStatus): Effect.Effect<void>
  aliasesOf(shop: Shop, external_id: string): Effect.Effect<ReadonlyArray<string>>
  /** False if the alias is known. */
  insertAlias(shop: Shop, alias: string, external_id: string): Effect.Effect<boolean>
  /** Locks the student's row, as everything does that changes their access, and says whether they are removed. */
  holdStudent(club_id: ClubId, id: StudentId): Effect.Effect<boolean>
  /** Whether the student has never got in and this is the first purchase that they paid. */
  isWelcome(club_id: ClubId, id: StudentId, first: PurchaseId): Effect.Effect<boolean>
}>()("turma/sales/PurchasesRepo") {
  static readonly layer = Layer.effect(
    PurchasesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const columns = sql`
        id, student_id, subscription_id, external_id, product_external_id, product_name, offer_external_id,
        amount_cents::float8 as amount_cents, currency, payment_method, recurrence, lateness_key, period_end, paid_at,
        refunded_at, charged_back_at, dispute_won_at`

      const one = Effect.fnUntraced(function*<Row>(rows: ReadonlyArray<Row>) {
        const [row] = rows
        return row ?? (yield* Effect.die(new Error("The purchase is gone")))
      })

      const find = Effect.fnUntraced(function*({ club_id, platform }: Shop, ref: string) {
        const [named] = yield* sql`
          with named as (
            select coalesce((
              select external_id from purchase_aliases
              where club_id = ${club_id} and platform = ${platform} and alias = ${ref}
            ), ${ref}::text) as external_id
          )
          select named.external_id, p.id, p.student_id
          from named left join purchases p
            on p.club_id = ${club_id} and p.platform = ${platform} and p.external_id = named.external_id
        `.pipe(Effect.flatMap(decodeNamed))
        return named
      }, Effect.orDie)

      const hold = Effect.fnUntraced(function*(club_id: ClubId, id: PurchaseId) {
        return yield* sql`select ${columns} from purchases where club_id = ${club_id} and id = ${id} for update`.pipe(
          Effect.flatMap(decodePurchases),
          Effect.flatMap(one)
        )
      }, Effect.orDie)

      const written = (row: PurchaseRow, status: PurchaseStatus) => ({
        ...row,
        status,
        period_end: dateOf(row.period_end),
        paid_at: dateOf(row.paid_at),
        refunded_at: dateOf(row.refunded_at),
        charged_back_at: dateOf(row.charged_back_at),
        dispute_won_at: dateOf(row.dispute_won_at)
      })

      const insert = Effect.fnUntraced(
        function*({ club_id, platform }: Shop, row: PurchaseRow, status: PurchaseStatus) {
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          const inserted = yield* sql`
          insert into purchases ${sql.insert({ ...written(row, status), club_id, platform, created_at })}
          on conflict (club_id, platform, external_id) do nothing returning 1`
          return inserted.length > 0
        },
        Effect.orDie
      )

      const update = Effect.fnUntraced(function*(club_id: ClubId, row: PurchaseRow, status: PurchaseStatus) {
        yield* sql`
          update purchases set ${sql.update(written(row, status), ["id"])}
          where club_id = ${club_id} and id = ${row.id}`
      }, Effect.orDie)

      const aliasesOf = Effect.fnUntraced(function*({ club_id, platform }: Shop, external_id: string) {
        const rows = yield* sql`
          select alias from purchase_aliases
          where club_id = ${club_id} and platform = ${platform} and external_id = ${external_id}
        `.pipe(Effect.flatMap(decodeAliases))
        return rows.map(({ alias }) => alias)
      }, Effect.orDie)

      const insertAlias = Effect.fnUntraced(function*({ club_id, platform }: Shop, alias: string, external_id: string) {
        const inserted = yield* sql`
          insert into purchase_aliases ${sql.insert({ club_id, platform, alias, external_id })}
          on conflict do nothing returning 1`
        return inserted.length > 0
      }, Effect.orDie)

      const holdStudent = Effect.fnUntraced(function*(club_id: ClubId, id: StudentId) {
        const [{ removed }] = yield* sql`
          select removed_at is not null as removed from students
          where club_id = ${club_id} and id = ${id} for no key update
        `.pipe(Effect.flatMap(decodeRemoved))
        return removed
      }, Effect.orDie)

      const isWelcome = Effect.fnUntraced(function*(club_id: ClubId, id: StudentId, first: PurchaseId) {
        const rows = yield* sql`
          select from students s
          where s.club_id = ${club_id} and s.id = ${id} and s.password_hash is null and s.verified_at is null
            and not exists (
              select from purchases p
              where p.club_id = s.club_id and p.student_id = s.id and p.id <> ${first} and p.paid_at is not null
            )`
        return rows.length > 0
      }, Effect.orDie)

      return PurchasesRepo.of({ find, hold, insert, update, aliasesOf, insertAlias, holdStudent, isWelcome })
    })
  )
}
