import { Context, DateTime, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { PageRequest } from "../../platform/http/Page.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { one, rows } from "../../platform/sql/Rows.ts"
import type { CohortId, DeliveryId } from "../catalog/Delivery.ts"
import { effortOf, isIndexed, wordsOf } from "./SearchWords.ts"
import { StudentSummary } from "./StudentDetail.ts"

/** The most students that one page reads if no index finds the matching ones. */
const mostRead = 10_000

/** The same if each student's enrollments decide the match. */
const mostReadForActive = 4000

/** The number of students that are read first for an indexed word. Common words are found among them. */
const firstRead = 2000

/** The most matches of a word in the index. With more, students are read in order instead. */
const indexLimit = 10_000

/** Words × characters × students that one page compares at most. A name and a few letters stay far below it. */
const mostCompared = 4_000_000

/** The page and the filters of a list. */
export interface StudentQuery extends PageRequest {
  readonly search?: string | undefined
  readonly delivery_id?: DeliveryId | undefined
  readonly cohort_id?: CohortId | undefined
  readonly active?: boolean | undefined
}

interface ListFilter extends Omit<StudentQuery, "search"> {
  readonly club_id: ClubId
  readonly before: Option.Option<string>
  readonly words: ReadonlyArray<string>
}

/**
 * Students of a page, one more than its limit if there are more. `read_to`: the last student that was read, if not all
 * were.
 */
interface StudentPage {
  readonly students: ReadonlyArray<StudentSummary>
  readonly read_to: StudentId | undefined
}

const ScannedStudent = Schema.Struct({ ...StudentSummary.fields, passes: Schema.Boolean, is_last: Schema.Boolean })
const decodeScanned = rows(ScannedStudent)
const decodeSummaries = rows(StudentSummary)
const decodeCount = one(Schema.Struct({ count: Schema.Int }))

/** Lists the students of a club, without removed ones. */
export class StudentsRepo extends Context.Service<StudentsRepo, {
  /** Newest first. A few statements that each read a bounded number of rows, however many students there are. */
  list(club_id: ClubId, query: StudentQuery, before: Option.Option<string>): Effect.Effect<StudentPage>
}>()("turma/membership/students/StudentsRepo") {
  static readonly layer = Layer.effect(
    StudentsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const filterColumns =
        sql`s.id, s.name, s.email, s.verified_at, s.password_hash, s.removed_at, s.created_at, s.search`
      const columns = sql`
        s.id, s.name, s.email, s.verified_at is not null as verified, s.password_hash is not null as has_password,
        false as anonymized, s.created_at`

      const optional = <A>(value: A | undefined, condition: (value: A) => Fragment) =>
        value === undefined ? sql`true` : condition(value)

      const older = (column: "s.id" | "e.student_id", before: Option.Option<string>) =>
        Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`${sql.literal(column)} < ${id}::uuid` })

      // In a subquery the pattern is unknown to the planner, so every word is planned as a rare one.
      const contains = (word: string) =>
        sql`
          s.search like (
            select '%' || replace(replace(replace(fold(${word}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
          )`

      const matches = ({ words }: ListFilter) => sql.and([sql`s.removed_at is null`, ...words.map(contains)])

      const enrolled = ({ club_id, cohort_id, delivery_id }: ListFilter) =>
        sql`
          e.club_id = ${club_id} and ${optional(delivery_id, (id) => sql`e.delivery_id = ${id}`)}
          and ${optional(cohort_id, (id) => sql`e.cohort_id = ${id}`)}`

      const filtersByDelivery = ({ cohort_id, delivery_id }: ListFilter) =>
        delivery_id !== undefined || cohort_id !== undefined

      // A lateral join searches once per student. For `exists` the planner might read all enrollments of the club.
      const enrollmentWhere = (filter: ListFilter, condition: Fragment) =>
        sql`(
          select true as found from enrollments e where
          ${enrolled(filter)} and e.student_id = s.id and ${condition} limit 1
        )`

      const isActive = (now: Date) =>
        sql`
          e.revoked_at is null and e.starts_at <= ${now} and (e.expires_at is null or e.expires_at > ${now})`

      const activeFilter = (filter: ListFilter, now: Date) =>
        filter.active === undefined
          ? { join: sql``, condition: sql`true` }
          : {
            join: sql`left join lateral ${enrollmentWhere(filter, isActive(now))} active on true`,
            condition: sql`(active.found is not null) = ${filter.active}`
          }

      // In the order of an index, so that only the first ones are read.
      const inIdOrder = (filter: ListFilter, count: number) =>
        filtersByDelivery(filter)
          ? sql`
            select e.student_id, e.place, s.* from (
              select e.student_id, row_number() over (order by e.student_id desc) as place from (
                select distinct e.student_id from enrollments e
                where ${enrolled(filter)} and ${older("e.student_id", filter.before)}
                order by e.student_id desc limit ${count}
              ) e
            ) e cross join lateral (
              select ${filterColumns} from students s where s.club_id = ${filter.club_id} and s.id = e.student_id limit 1
            ) s`
          : sql`
            select s.id as student_id, row_number() over (order by s.id desc) as place, s.* from (
              select ${filterColumns} from students s
              where s.club_id = ${filter.club_id} and ${older("s.id", filter.before)}
              order by s.id desc limit ${count}
            ) s`

      /**
       * Reads this many students, newest first, and answers those that match. The last one read is in the rows in any
       * case.
       */
      const scan = Effect.fnUntraced(function*(filter: ListFilter, now: Date, count: number) {
        const { condition, join } = activeFilter(filter, now)
        const rows = yield* sql`
          select ${columns}, passes.passes, s.place = ${count} as is_last
          from (${inIdOrder(filter, count)}) s ${join}
          cross join lateral (select ${matches(filter)} and ${condition} as passes) passes
          where passes.passes or s.place = ${count}
          order by s.student_id desc limit ${filter.limit + 1}`.pipe(decodeScanned)
        return {
          students: rows.filter(({ passes }) => passes).map(Struct.omit(["passes", "is_last"])),
          read_to: rows.find(({ is_last }) => is_last)?.id
        }
      })

      const indexed = (filter: ListFilter) =>
        sql`
          s.club_id = ${filter.club_id} and ${older("s.id", filter.before)} and ${matches(filter)}`

      const countIndexed = (filter: ListFilter, most: number) =>
        sql`
          select count(*)::int as count from (
            select from students s where ${indexed(filter)} limit ${most + 1}
          ) found`.pipe(decodeCount, Effect.map(({ count }) => count))

      /** All that match, by the index of trigrams. */
      const findIndexed = Effect.fnUntraced(function*(filter: ListFilter, now: Date) {
        const { condition, join } = activeFilter(filter, now)
        const place = filtersByDelivery(filter)
          ? sql`cross join lateral ${enrollmentWhere(filter, sql`true`)} place`
          : sql``
        const students = yield* sql`
          with found as materialized (select ${filterColumns} from students s where ${indexed(filter)})
          select ${columns} from found s ${place} ${join} where ${condition}
          order by s.id desc limit ${filter.limit + 1}`.pipe(decodeSummaries)
        return { students, read_to: undefined }
      })

      const isFullPage = ({ read_to, students }: StudentPage, { limit }: ListFilter) =>
        students.length > limit || read_to === undefined

      const find = Effect.fnUntraced(function*(filter: ListFilter, now: Date) {
        const comparable = Math.floor(mostCompared / Math.max(1, effortOf(filter.words)))
        const most = Math.min(filter.active === undefined ? mostRead : mostReadForActive, comparable)
        if (!filter.words.some(isIndexed)) return yield* scan(filter, now, most)
        const first = yield* scan(filter, now, Math.min(firstRead, most))
        if (isFullPage(first, filter)) return first
        const mostFound = Math.min(indexLimit, comparable)
        if ((yield* countIndexed(filter, mostFound)) <= mostFound) return yield* findIndexed(filter, now)
        return yield* scan(filter, now, most)
      })

      const list = Effect.fn("StudentsRepo.list")(function*(
        club_id: ClubId,
        query: StudentQuery,
        before: Option.Option<string>
      ) {
        const words = wordsOf(query.search ?? "")
        const filter = { ...query, club_id, before, words }
        const now = DateTime.toDateUtc(yield* DateTime.now)
        // Without either, an index has the page in its order.
        const isScan = words.length > 0 || query.active !== undefined
        return yield* (isScan ? scanning(find(filter, now)) : scan(filter, now, mostRead))
      })

      return StudentsRepo.of({ list })
    })
  )
}
