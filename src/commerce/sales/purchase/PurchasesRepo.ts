import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { bigints, instant, instants, integers, texts, uuids } from "../../../platform/sql/Arrays.ts"
import { one, rows } from "../../../platform/sql/Rows.ts"
import { PurchaseId, PurchaseRow, type PurchaseStatus, statusOf } from "./Purchase.ts"
import type { ClubPlatform } from "./ReceivedFacts.ts"

const NamedCharge = Schema.Struct({
  /** The platform's id of the charge; an alias is resolved to it. */
  external_id: Schema.String,
  /** The purchase and its student, if it has a row. */
  id: Schema.NullOr(PurchaseId),
  student_id: Schema.NullOr(StudentId)
})

const decodeNamedCharges = rows(NamedCharge)
const decodePurchase = one(PurchaseRow)
const decodeAliases = rows(Schema.Struct({ alias: Schema.String }))
const decodeIds = rows(Schema.Struct({ id: StudentId }))
const decodeRemoved = one(Schema.Struct({ removed: Schema.Boolean }))

/** The tables `purchases` and `purchase_aliases`. Every writer locks the student's row first. */
export class PurchasesRepo extends Context.Service<PurchasesRepo, {
  /** The charges of these ids or aliases, in the same order. Locks nothing. */
  find(
    clubPlatform: ClubPlatform,
    refs: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<typeof NamedCharge.Type>>
  /** Locks the row until the transaction ends. */
  lock(club_id: ClubId, id: PurchaseId): Effect.Effect<PurchaseRow>
  /** In one statement. False if one of the charges has a row: that one is not inserted. */
  insert(clubPlatform: ClubPlatform, rows: ReadonlyArray<PurchaseRow>): Effect.Effect<boolean>
  update(club_id: ClubId, row: PurchaseRow, status: PurchaseStatus): Effect.Effect<void>
  aliasesOf(clubPlatform: ClubPlatform, external_ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
  /** False if the alias is known. */
  insertAlias(clubPlatform: ClubPlatform, alias: string, external_id: string): Effect.Effect<boolean>
  /** Locks the student's row, as everything does that changes their access, and says whether they are removed. */
  lockStudent(club_id: ClubId, id: StudentId): Effect.Effect<boolean>
  /** Those of these students who have never signed in and have no other paid purchase than these. */
  firstBuyers(
    club_id: ClubId,
    student_ids: ReadonlyArray<StudentId>,
    purchase_ids: ReadonlyArray<PurchaseId>
  ): Effect.Effect<ReadonlyArray<StudentId>>
}>()("turma/commerce/sales/purchase/PurchasesRepo") {
  static readonly layer = Layer.effect(
    PurchasesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const columns = sql`
        id, student_id, subscription_id, external_id, product_external_id, product_name, offer_external_id,
        amount_cents::float8 as amount_cents, currency, payment_method, recurrence, lateness_key, period_end, paid_at,
        refunded_at, charged_back_at, dispute_won_at`

      const find = Effect.fnUntraced(function*({ club_id, platform }: ClubPlatform, refs: ReadonlyArray<string>) {
        return yield* sql`
          with named as (
            select position, coalesce((
              select external_id from purchase_aliases
              where club_id = ${club_id} and platform = ${platform} and alias = ref
            ), ref) as external_id
            from unnest(${texts(refs)}) with ordinality as asked (ref, position)
          )
          select named.external_id, p.id, p.student_id
          from named left join purchases p
            on p.club_id = ${club_id} and p.platform = ${platform} and p.external_id = named.external_id
          order by named.position`.pipe(decodeNamedCharges)
      })

      const lock = Effect.fnUntraced(function*(club_id: ClubId, id: PurchaseId) {
        return yield* sql`select ${columns} from purchases where club_id = ${club_id} and id = ${id} for update`
          .pipe(decodePurchase)
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

      // One array for each column, so that the statement is the same for any number of rows.
      const insert = Effect.fnUntraced(
        function*({ club_id, platform }: ClubPlatform, rows: ReadonlyArray<PurchaseRow>) {
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          const inserted = yield* sql`
            insert into purchases (
              club_id, platform, created_at, id, student_id, subscription_id, external_id, product_external_id,
              product_name, offer_external_id, amount_cents, currency, payment_method, recurrence, lateness_key,
              period_end, paid_at, refunded_at, charged_back_at, dispute_won_at, status
            )
            select ${club_id}::uuid, ${platform}::text, ${created_at}::timestamptz, sold.*
            from unnest(
              ${uuids(rows.map(({ id }) => id))}, ${uuids(rows.map(({ student_id }) => student_id))},
              ${uuids(rows.map(({ subscription_id }) => subscription_id))},
              ${texts(rows.map(({ external_id }) => external_id))},
              ${texts(rows.map(({ product_external_id }) => product_external_id))},
              ${texts(rows.map(({ product_name }) => product_name))},
              ${texts(rows.map(({ offer_external_id }) => offer_external_id))},
              ${bigints(rows.map(({ amount_cents }) => amount_cents))}, ${texts(rows.map(({ currency }) => currency))},
              ${texts(rows.map(({ payment_method }) => payment_method))},
              ${integers(rows.map(({ recurrence }) => recurrence))},
              ${texts(rows.map(({ lateness_key }) => lateness_key))},
              ${instants(rows.map(({ period_end }) => period_end))}, ${instants(rows.map(({ paid_at }) => paid_at))},
              ${instants(rows.map(({ refunded_at }) => refunded_at))},
              ${instants(rows.map(({ charged_back_at }) => charged_back_at))},
              ${instants(rows.map(({ dispute_won_at }) => dispute_won_at))}, ${texts(rows.map(statusOf))}
            ) as sold
            on conflict (club_id, platform, external_id) do nothing returning 1`
          return inserted.length === rows.length
        },
        Effect.orDie
      )

      const update = Effect.fnUntraced(function*(club_id: ClubId, row: PurchaseRow, status: PurchaseStatus) {
        yield* sql`
          update purchases set ${sql.update(columnsOf(row, status), ["id"])}
          where club_id = ${club_id} and id = ${row.id}`
      }, Effect.orDie)

      const aliasesOf = Effect.fnUntraced(function*(
        { club_id, platform }: ClubPlatform,
        external_ids: ReadonlyArray<string>
      ) {
        const rows = yield* sql`
            select alias from purchase_aliases
            where club_id = ${club_id} and platform = ${platform} and external_id = any(${texts(external_ids)})
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

      const firstBuyers = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_ids: ReadonlyArray<StudentId>,
        purchase_ids: ReadonlyArray<PurchaseId>
      ) {
        const rows = yield* sql`
          select s.id from students s
          where s.club_id = ${club_id} and s.id = any(${uuids(student_ids)})
            and s.password_hash is null and s.verified_at is null
            and not exists (
              select from purchases p
              where p.club_id = s.club_id and p.student_id = s.id and p.id <> all(${uuids(purchase_ids)})
                and p.paid_at is not null
            )`.pipe(decodeIds)
        return rows.map(({ id }) => id)
      })

      return PurchasesRepo.of({ find, lock, insert, update, aliasesOf, insertAlias, lockStudent, firstBuyers })
    })
  )
}
