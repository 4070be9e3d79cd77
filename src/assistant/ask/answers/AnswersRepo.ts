import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { CourseId } from "../../../learning/content/Course.ts"
import { LessonId } from "../../../learning/content/Lesson.ts"
import { Locale } from "../../../platform/http/Locale.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { first, rows } from "../../../platform/sql/Rows.ts"
import type { Question } from "../../providers/Assistant.ts"
import { ConversationId } from "../messages/Conversation.ts"
import { MessageId } from "../messages/Message.ts"
import type { AnswerContent } from "./AnswerDraft.ts"

/** An answer that a worker generates until its lease runs out. `tries` counts this claim and names it. */
export const AnswerClaim = Schema.Struct({
  club_id: ClubId,
  id: MessageId,
  student_id: StudentId,
  conversation_id: ConversationId,
  tries: Schema.Int,
  has_text: Schema.Boolean,
  created_at: Instant
})
export type AnswerClaim = typeof AnswerClaim.Type

const QuestionRow = Schema.Struct({
  course_id: CourseId,
  lesson_id: LessonId,
  lesson_title: Schema.String,
  lesson_public_id: Schema.String,
  agent_name: Schema.String,
  locale: Locale,
  content: Schema.String,
  history: Schema.Array(Schema.Struct({ role: Schema.Literals(["user", "assistant"]), content: Schema.String }))
})

/** A question, and the key of the lesson that it was asked in. */
export interface LessonQuestion extends Question {
  readonly lesson_public_id: string
}

/** Number of earlier messages of the conversation that the assistant gets. */
const mostHistory = 20

const decodeClaimed = rows(AnswerClaim)
const decodeQuestion = first(QuestionRow)

/**
 * Answers that are being generated, as jobs in the table `messages`. A claim holds until the next claim of the same
 * answer.
 */
export class AnswersRepo extends Context.Service<AnswersRepo, {
  /** Claims answers that no worker has, oldest first, for the length of a lease. */
  claim(limit: number): Effect.Effect<ReadonlyArray<AnswerClaim>>
  /** The question of the answer; empty if the student was removed since. */
  question(claim: AnswerClaim): Effect.Effect<Option.Option<LessonQuestion>>
  /** Stores the answer so far and renews the lease; false if the claim is lost. */
  save(claim: AnswerClaim, draft: AnswerContent): Effect.Effect<boolean>
  /** True if the claim still has its lease. */
  isLeased(claim: AnswerClaim): Effect.Effect<boolean>
  /** Ends the lease, so that any worker can claim the answer. */
  release(claim: AnswerClaim): Effect.Effect<void>
}>()("turma/assistant/ask/answers/AnswersRepo") {
  /** Several times as long as the time between two renewals. */
  static readonly lease = Duration.seconds(20)

  static readonly layer = Layer.effect(
    AnswersRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const leaseEnd = Effect.map(
        DateTime.now,
        (at) => DateTime.toDateUtc(DateTime.addDuration(at, AnswersRepo.lease))
      )
      const leasedBy = ({ club_id, id, tries }: AnswerClaim) =>
        sql`club_id = ${club_id} and id = ${id} and status = 'generating' and tries = ${tries}`

      // Skips locked rows, so that processes share the table without waiting for each other.
      const claim = Effect.fnUntraced(function*(limit: number) {
        return yield* sql`
          with free as materialized (
            select club_id, id from messages
            where status = 'generating' and (leased_until is null or leased_until <= ${yield* now})
            order by leased_until nulls first, id
            limit ${limit}
            for update skip locked
          )
          update messages m
          set leased_until = ${yield* leaseEnd}, tries = m.tries + 1,
            citations = case when m.content = '' then '[]' else m.citations end
          from free
          where m.club_id = free.club_id and m.id = free.id
          returning m.club_id, m.id, m.student_id, m.conversation_id, m.tries, m.content <> '' as has_text, m.created_at`
          .pipe(decodeClaimed)
      }, Effect.orDie)

      const question = Effect.fn("AnswersRepo.question")(function*(
        { club_id, conversation_id, id, student_id }: AnswerClaim
      ) {
        const row = yield* sql`
            select l.course_id, l.id as lesson_id, l.title as lesson_title, l.public_id as lesson_public_id,
              a.name as agent_name, b.locale, asked.content, coalesce((
                select json_agg(json_build_object('role', earlier.role, 'content', earlier.content) order by earlier.id)
                from (
                  select h.id, h.role, h.content from messages h
                  where h.club_id = c.club_id and h.conversation_id = c.id and h.id < asked.id and h.content <> ''
                  order by h.id desc limit ${mostHistory}
                ) earlier
              ), '[]') as history
            from messages m
            join messages asked on asked.club_id = m.club_id and asked.id = m.reply_to
            join conversations c on c.club_id = m.club_id and c.id = m.conversation_id
            join lessons l on l.club_id = c.club_id and l.id = c.lesson_id
            join agents a on a.club_id = m.club_id
            join clubs b on b.id = m.club_id
            where m.club_id = ${club_id} and m.id = ${id} and m.conversation_id = ${conversation_id}
          `.pipe(decodeQuestion)
        return Option.map(row, (found) => ({ ...found, club_id, student_id }))
      })

      const save = Effect.fn("AnswersRepo.save")(
        function*(claim: AnswerClaim, { citations, content }: AnswerContent) {
          const rows = yield* sql`
            update messages
            set content = ${content}, citations = ${JSON.stringify(citations)}::jsonb, leased_until = ${yield* leaseEnd}
            where ${leasedBy(claim)} returning 1`
          return rows.length === 1
        },
        Effect.orDie
      )

      const isLeased = Effect.fnUntraced(function*(claim: AnswerClaim) {
        return (yield* sql`select 1 from messages where ${leasedBy(claim)}`).length === 1
      }, Effect.orDie)

      const release = Effect.fn("AnswersRepo.release")(function*(claim: AnswerClaim) {
        yield* sql`update messages set leased_until = ${yield* now} where ${leasedBy(claim)}`
      }, Effect.orDie)

      return AnswersRepo.of({ claim, question, save, isLeased, release })
    })
  )
}
