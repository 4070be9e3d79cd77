import { Context, DateTime, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { PageRequest } from "../../platform/http/Page.ts"
import type { CohortId, DeliveryId } from "../catalog/Delivery.ts"
import { isIndexed, wordsOf } from "./Search.ts"
import { StudentSummary } from "./StudentDetail.ts"

/** Students that one page looks at, at most, where nothing tells beforehand which ones pass. */
const lookedAt = 20_000

/** Students that are looked at first for a word that the index knows: who is common is among them. */
const lookedAtFirst = 2000

/** Students that the index finds, at most, before it is not asked any further. */
const foundAtMost = 10_000

/** What a list asks for. */
export interface StudentQuery extends PageRequest {
  readonly search?: string | undefined
  readonly delivery_id?: DeliveryId | undefined
  readonly cohort_id?: CohortId | undefined
  readonly active?: boolean | undefined
}

interface Wanted extends StudentQuery {
  readonly club_id: ClubId
  readonly before: Option.Option<string>
}

/** Students of a page, one more than its limit if there are more. `read_to`: the last one that was looked at, if that was not all. */
interface Found {
  readonly students: ReadonlyArray<StudentSummary>
  readonly read_to: StudentId | undefined
}

const LookedAt = Schema.Struct({ ...StudentSummary.fields, passes: Schema.Boolean, is_last: Schema.Boolean })
const decodeLookedAt = Schema.decodeUnknownEffect(Schema.Array(LookedAt))
const decodeSummaries = Schema.decodeUnknownEffect(Schema.Array(StudentSummary))
const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** How the students of a club are listed. Removed ones are not. */
export class StudentsRepo extends Context.Service<StudentsRepo, {
  /** Newest first. A few statements that each look at a bounded number of rows, however many students there are. */
  list(club_id: ClubId, query: StudentQuery, before: Option.Option<string>): Effect.Effect<Found>
}>()("turma/students/StudentsRepo") {
  static readonly layer = Layer.effect(
    StudentsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const kept = sql`s.id, s.name, s.email, s.verified_at, s.password_hash, s.removed_at, s.created_at, s.search`
      const columns = sql`
        s.id, s.name, s.email, s.verified_at is not null as verified, s.password_hash is not null as has_password,
        false as anonymized, s.created_at`

      const optional = <A>(value: A | undefined, condition: (value: A) => Fragment) =>
        value === undefined ? sql`true` : condition(value)

      const older = (column: "s.id" | "e.student_id", before: Option.Option<string>) =>
        Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`${sql.literal(column)} < ${id}::uuid` })

      // As a subquery the pattern is not known to the planner, so every word is planned alike: as a rare one.
      const contains = (word: string) =>
        sql`
          s.search like (
            select '%' || replace(replace(replace(fold(${word}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
          )`

      const matches = ({ search = "" }: Wanted) =>
        sql.and([sql`s.removed_at is null`, ...wordsOf(search).map(contains)])

      const enrolled = ({ club_id, cohort_id, delivery_id }: Wanted) =>
        sql`
          e.club_id = ${club_id} and ${optional(delivery_id, (id) => sql`e.delivery_id = ${id}`)}
          and ${optional(cohort_id, (id) => sql`e.cohort_id = ${id}`)}`

      const hasPlace = ({ cohort_id, delivery_id }: Wanted) => delivery_id !== undefined || cohort_id !== undefined

      // One search for each student. As `exists` the planner might read all enrollments of the club instead.
      const one = (wanted: Wanted, condition: Fragment) =>
        sql`(
          select true as found from enrollments e where ${
          enrolled(wanted)
        } and e.student_id = s.id and ${condition} limit 1
        )`

      const isActive = (now: Date) =>
        sql`
          e.revoked_at is null and e.starts_at <= ${now} and (e.expires_at is null or e.expires_at > ${now})`

      const passing = (wanted: Wanted, now: Date) =>
        wanted.active === undefined
          ? { join: sql``, condition: sql`true` }
          : {
            join: sql`left join lateral ${one(wanted, isActive(now))} active on true`,
            condition: sql`(active.found is not null) = ${wanted.active}`
          }

      // In the order of an index, so that the first ones are read and no others.
      const inOrder = (wanted: Wanted, count: number) =>
        hasPlace(wanted)
          ? sql`
            select e.student_id, e.place, s.* from (
              select e.student_id, row_number() over (order by e.student_id desc) as place from (
                select distinct e.student_id from enrollments e
                where ${enrolled(wanted)} and ${older("e.student_id", wanted.before)}
                order by e.student_id desc limit ${count}
              ) e
            ) e cross join lateral (
              select ${kept} from students s where s.club_id = ${wanted.club_id} and s.id = e.student_id limit 1
            ) s`
          : sql`
            select s.id as student_id, row_number() over (order by s.id desc) as place, s.* from (
              select ${kept} from students s
              where s.club_id = ${wanted.club_id} and ${older("s.id", wanted.before)}
              order by s.id desc limit ${count}
            ) s`

      /** Looks at this many students, newest first, for those who pass. The last one comes along, whether it passes or not. */
      const look = Effect.fnUntraced(function*(wanted: Wanted, now: Date, count: number) {
        const { condition, join } = passing(wanted, now)
        const rows = yield* sql`
          select ${columns}, passes.passes, s.place = ${count} as is_last
          from (${inOrder(wanted, count)}) s ${join}
          cross join lateral (select ${matches(wanted)} and ${condition} as passes) passes
          where passes.passes or s.place = ${count}
          order by s.student_id desc limit ${wanted.limit + 1}`.pipe(Effect.flatMap(decodeLookedAt))
        return {
          students: rows.filter(({ passes }) => passes).map(Struct.omit(["passes", "is_last"])),
          read_to: rows.find(({ is_last }) => is_last)?.id
        }
      })

      const indexed = (wanted: Wanted) =>
        sql`
          s.club_id = ${wanted.club_id} and ${older("s.id", wanted.before)} and ${matches(wanted)}`

      const countFound = (wanted: Wanted) =>
        sql`
          select count(*)::int as count from (
            select from students s where ${indexed(wanted)} limit ${foundAtMost + 1}
          ) found`.pipe(Effect.flatMap(decodeCount), Effect.map(([{ count }]) => count))

      /** All who pass, by the index of trigrams. */
      const find = Effect.fnUntraced(function*(wanted: Wanted, now: Date) {
        const { condition, join } = passing(wanted, now)
        const place = hasPlace(wanted) ? sql`cross join lateral ${one(wanted, sql`true`)} place` : sql``
        const students = yield* sql`
          with found as materialized (select ${kept} from students s where ${indexed(wanted)})
          select ${columns} from found s ${place} ${join} where ${condition}
          order by s.id desc limit ${wanted.limit + 1}`.pipe(Effect.flatMap(decodeSummaries))
        return { students, read_to: undefined }
      })

      const isWhole = ({ read_to, students }: Found, { limit }: Wanted) =>
        students.length > limit || read_to === undefined

      const list = Effect.fn("StudentsRepo.list")(
        function*(club_id: ClubId, query: StudentQuery, before: Option.Option<string>) {
          const wanted = { ...query, club_id, before }
          const now = DateTime.toDateUtc(yield* DateTime.now)
          if (!wordsOf(query.search ?? "").some(isIndexed)) return yield* look(wanted, now, lookedAt)
          const first = yield* look(wanted, now, lookedAtFirst)
          if (isWhole(first, wanted)) return first
          if ((yield* countFound(wanted)) <= foundAtMost) return yield* find(wanted, now)
          return yield* look(wanted, now, lookedAt)
        },
        Effect.orDie
      )

      return StudentsRepo.of({ list })
    })
  )
}
