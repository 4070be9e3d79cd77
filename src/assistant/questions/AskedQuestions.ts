import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf } from "../../platform/http/Page.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { firstOr, rows } from "../../platform/sql/Rows.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import type { MessageId } from "../ask/messages/Message.ts"
import { type AskedQuery, AskedQuestion } from "./AskedQuestion.ts"

const decodeQuestions = rows(AskedQuestion)
const decodeQuestion = firstOr(AskedQuestion, () => new NotFound())

// The service makes the id of a question after it has read the time. Between the two the clock may be set, and the
// process waits for locks.
const leeway = Duration.hours(1)

/** The students' questions, for the staff. */
export class AskedQuestions extends Context.Service<AskedQuestions, {
  /** The newest first. One statement, which follows an index of the answers by their questions. */
  list(club_id: ClubId, query: AskedQuery): Effect.Effect<PageAnswer<AskedQuestion>, InvalidCursor>
  /** One statement. `NotFound`: nobody asked this in the club. */
  get(club_id: ClubId, id: MessageId): Effect.Effect<AskedQuestion, NotFound>
}>()("turma/assistant/questions/AskedQuestions") {
  static readonly layer = Layer.effect(
    AskedQuestions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const optional = <A>(value: A | undefined, condition: (value: A) => Fragment) =>
        value === undefined ? sql`true` : condition(value)

      // An answer that is being generated is in no index but the one of these.
      const hasStatus = (status: AskedQuestion["status"]) =>
        status === "generating"
          ? sql`r.status = 'generating'`
          : sql`r.status = ${status} and r.status <> 'generating'`

      const hasLesson = (club_id: ClubId) => (id: string) =>
        sql`r.conversation_id in (select id from conversations where club_id = ${club_id} and lesson_id = ${id})`

      const isSince = (at: DateTime.Utc) =>
        sql`r.created_at >= ${DateTime.toDateUtc(at)}
          and r.reply_to >= ${floorOf(DateTime.subtractDuration(at, leeway))}::uuid`

      const isBefore = (at: DateTime.Utc) =>
        sql`r.created_at < ${DateTime.toDateUtc(at)}
          and r.reply_to < ${floorOf(DateTime.addDuration(at, leeway))}::uuid`

      const wanted = (club_id: ClubId, { lesson_id, since, status, student_id, until }: AskedQuery) =>
        sql`
          r.club_id = ${club_id} and r.role = 'assistant' and r.reply_to is not null
          and ${optional(status, hasStatus)}
          and ${optional(student_id, (id) => sql`r.student_id = ${id}`)}
          and ${optional(lesson_id, hasLesson(club_id))}
          and ${optional(since, isSince)} and ${optional(until, isBefore)}`

      /**
       * The questions of these answers, named `r`, with all fields of the API. The parts are looked up row by row. If
       * most clubs are small, the plan of a join would read all students of a large one for each answer.
       */
      const told = (answers: Fragment) =>
        sql`
          select q.id, q.content as question, q.created_at, r.content as answer, r.status, r.error_code, r.citations,
            case when r.month is null then 0 else 1 end as cost, r.completed_at,
            (
              select json_build_object('id', l.id, 'public_id', l.public_id, 'title', l.title) from lessons l
              where l.club_id = r.club_id and l.id = (
                select c.lesson_id from conversations c where c.club_id = r.club_id and c.id = r.conversation_id
              )
            ) as lesson,
            (
              select json_build_object('id', s.id, 'name', s.name) from students s
              where s.club_id = r.club_id and s.id = r.student_id
            ) as student
          from (${answers}) r
          cross join lateral (
            select q.id, q.content, q.created_at from messages q where q.club_id = r.club_id and q.id = r.reply_to limit 1
          ) q
          order by q.id desc`

      const list = Effect.fn("AskedQuestions.list")(function*(club_id: ClubId, query: AskedQuery) {
        const after = yield* afterCursor(query.cursor)
        const isAfter = optional(Option.getOrUndefined(after), (id) => sql`r.reply_to < ${id}`)
        const asked = told(sql`
          select r.* from messages r where ${wanted(club_id, query)} and ${isAfter}
          order by r.reply_to desc limit ${query.limit + 1}`).pipe(decodeQuestions)
        // No index has the answers of a lesson, or a student's of a status, in their order.
        const isScan = query.lesson_id !== undefined || (query.student_id !== undefined && query.status !== undefined)
        const found = yield* (isScan ? scanning(asked) : asked)
        return pageOf(found, query.limit)
      })

      const get = Effect.fn("AskedQuestions.get")((club_id: ClubId, id: MessageId) =>
        told(sql`select r.* from messages r where r.club_id = ${club_id} and r.reply_to = ${id}`).pipe(decodeQuestion)
      )

      return AskedQuestions.of({ list, get })
    })
  )
}
