import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { instant } from "../../../platform/sql/Arrays.ts"
import { one, rows } from "../../../platform/sql/Rows.ts"
import { PurchaseId, PurchaseRow, type PurchaseStatus } from "./Purchase.ts"
import type { ClubPlatform } from "./ReceivedFacts.ts"

const NamedCharge = Schema.Struct({
  /** The platform's id of the charge; an alias is resolved to it. */
  external_id: Schema.String,
  /** The purchase and its student, if it has a row. */
  id: Schema.NullOr(PurchaseId),
  student_id: Schema.NullOr(StudentId)
})

const decodeNamedCharge = one(NamedCharge)
const decodePurchase = one(PurchaseRow)
const decodeAliases = rows(Schema.Struct({ alias: Schema.String }))
const decodeRemoved = one(Schema.Struct({ removed: Schema.Boolean }))

/** The tables `purchases` and `purchase_aliases`. Whoever changes a purchase locks its student's row first. */
export class PurchasesRepo extends Context.Service<PurchasesRepo, {
  /** The charge of this id or alias. Locks nothing. */
  find(clubPlatform: ClubPlatform, ref: string): Effect.Effect<typeof NamedCharge.Type>
  /** Locks the row until the transaction ends. */
  lock(club_id: ClubId, id: PurchaseId): Effect.Effect<PurchaseRow>
  /** False, and nothing is inserted, if the charge has a row. */
  insert(clubPlatform: ClubPlatform, row: PurchaseRow, status: PurchaseStatus): Effect.Effect<boolean>
  update(club_id: ClubId, row: PurchaseRow, status: PurchaseStatus): Effect.Effect<void>
  aliasesOf(clubPlatform: ClubPlatform, external_id: string): Effect.Effect<ReadonlyArray<string>>
  /** False if the alias is known. */
  insertAlias(clubPlatform: ClubPlatform, alias: string, external_id: string): Effect.Effect<boolean>
  /** Locks the student's row, as everything does that changes their access, and says whether they are removed. */
  lockStudent(club_id: ClubId, id: StudentId): Effect.Effect<boolean>
  /** Whether this is the first paid purchase of a student who has never signed in. */
  isFirstPurchase(club_id: ClubId, id: StudentId, first: PurchaseId): Effect.Effect<boolean>
}>()("turma/commerce/sales/purchase/PurchasesRepo") {
  static readonly layer = Layer.effect(
    PurchasesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const columns = sql`
        id, student_id, subscription_id, external_id, product_external_id, product_name, offer_external_id,
        amount_cents::float8 as amount_cents, currency, payment_method, recurrence, lateness_key, period_end, paid_at,
        refunded_at, charged_back_at, dispute_won_at`

      const find = Effect.fnUntraced(function*({ club_id, platform }: ClubPlatform, ref: string) {
        return yield* sql`
          with named as (
            select coalesce((
              select external_id from purchase_aliases
              where club_id = ${club_id} and platform = ${platform} and alias = ${ref}
            ), ${ref}::text) as external_id
          )
          select named.external_id, p.id, p.student_id
          from named left join purchases p
            on p.club_id = ${club_id} and p.platform = ${platform} and p.external_id = named.external_id
        `.pipe(decodeNamedCharge)
      })

      const lock = Effect.fnUntraced(function*(club_id: ClubId, id: PurchaseId) {
        return yield* sql`select ${columns} from purchases where club_id = ${club_id} and id = ${id} for update`.pipe(
          decodePurchase
        )
      })

      const columnsOf = (row: PurchaseRow, status: PurchaseStatus) => ({
        ...row,
        status,
        period_end: instant(row.period_end),
        paid_at: instant(row.paid_at),
        refunded_at: instant(row.refunded_at),
        charged_back_at: instant(row.charged_back_at),
        dispute_won_at: instant(row.dispute_won_at)
      })

      const insert = Effect.fnUntraced(
        function*({ club_id, platform }: ClubPlatform, row: PurchaseRow, status: PurchaseStatus) {
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          const inserted = yield* sql`
            insert into purchases ${sql.insert({ ...columnsOf(row, status), club_id, platform, created_at })}
            on conflict (club_id, platform, external_id) do nothing returning 1`
          return inserted.length > 0
        },
        Effect.orDie
      )

      const update = Effect.fnUntraced(function*(club_id: ClubId, row: PurchaseRow, status: PurchaseStatus) {
        yield* sql`
          update purchases set ${sql.update(columnsOf(row, status), ["id"])}
          where club_id = ${club_id} and id = ${row.id}`
      }, Effect.orDie)

      const aliasesOf = Effect.fnUntraced(function*({ club_id, platform }: ClubPlatform, external_id: string) {
        const rows = yield* sql`
          select alias from purchase_aliases
          where club_id = ${club_id} and platform = ${platform} and external_id = ${external_id}
        `.pipe(decodeAliases)
        return rows.map(({ alias }) => alias)
      })

      const insertAlias = Effect.fnUntraced(
        function*({ club_id, platform }: ClubPlatform, alias: string, external_id: string) {
          const inserted = yield* sql`
            insert into purchase_aliases ${sql.insert({ club_id, platform, alias, external_id })}
            on conflict do nothing returning 1`
          return inserted.length > 0
        },
        Effect.orDie
      )

      const lockStudent = Effect.fnUntraced(function*(club_id: ClubId, id: StudentId) {
        const { removed } = yield* sql`
          select removed_at is not null as removed from students
          where club_id = ${club_id} and id = ${id} for no key update
        `.pipe(decodeRemoved)
        return removed
      })

      const isFirstPurchase = Effect.fnUntraced(function*(club_id: ClubId, id: StudentId, first: PurchaseId) {
        const rows = yield* sql`
          select from students s
          where s.club_id = ${club_id} and s.id = ${id} and s.password_hash is null and s.verified_at is null
            and not exists (
              select from purchases p
              where p.club_id = s.club_id and p.student_id = s.id and p.id <> ${first} and p.paid_at is not null
            )`
        return rows.length > 0
      }, Effect.orDie)

      return PurchasesRepo.of({ find, lock, insert, update, aliasesOf, insertAlias, lockStudent, isFirstPurchase })
    })
  )
}
