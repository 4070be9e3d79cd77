import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { CourseId, LessonId } from "../../learning/content/Lesson.ts"
import { Locale } from "../../platform/http/Locale.ts"
import type { Question } from "../Assistant.ts"
import { ConversationId, MessageId } from "./Ask.ts"
import type { LastWords } from "./Endings.ts"

/** An answer that this process generates until its lease runs out. `tries` counts this claim and names it. */
export const Claimed = Schema.Struct({
  club_id: ClubId,
  id: MessageId,
  student_id: StudentId,
  conversation_id: ConversationId,
  tries: Schema.Int,
  has_text: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate
})
export type Claimed = typeof Claimed.Type

const QuestionRow = Schema.Struct({
  course_id: CourseId,
  lesson_id: LessonId,
  lesson_title: Schema.String,
  agent_name: Schema.String,
  locale: Locale,
  content: Schema.String,
  history: Schema.Array(Schema.Struct({ role: Schema.Literals(["user", "assistant"]), content: Schema.String }))
})

/** How much of a conversation the assistant remembers. */
const remembered = 20

const decodeClaimed = Schema.decodeUnknownEffect(Schema.Array(Claimed))
const decodeQuestions = Schema.decodeUnknownEffect(Schema.Array(QuestionRow))

/** Answers that are being generated, as jobs in the table `messages`. What a claim does counts while it is the latest. */
export class AnswersRepo extends Context.Service<AnswersRepo, {
  /** What nobody is at, oldest first, for as long as a lease. */
  claim(limit: number): Effect.Effect<ReadonlyArray<Claimed>>
  /** What was asked; none where the student was removed since. */
  question(claimed: Claimed): Effect.Effect<Option.Option<Question>>
  /** Writes what there is so far and renews the lease; false where the answer is no longer this claim's. */
  save(claimed: Claimed, said: Omit<LastWords, "tries">): Effect.Effect<boolean>
  /** Whether the answer is still this claim's. */
  isHeld(claimed: Claimed): Effect.Effect<boolean>
  /** Ends the lease, so that the next who comes decides. */
  release(claimed: Claimed): Effect.Effect<void>
}>()("turma/assistant/AnswersRepo") {
  /** Several times as long as between two renewals. */
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
      const held = ({ club_id, id, tries }: Claimed) =>
        sql`club_id = ${club_id} and id = ${id} and status = 'generating' and tries = ${tries}`

      // Locked rows are skipped, so processes share the table without waiting for each other.
      const claim = Effect.fnUntraced(function*(limit: number) {
        const rows = yield* sql`
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
        return yield* decodeClaimed(rows)
      }, Effect.orDie)

      const question = Effect.fn("AnswersRepo.question")(
        function*({ club_id, conversation_id, id, student_id }: Claimed) {
          const rows = yield* sql`
            select l.course_id, l.id as lesson_id, l.title as lesson_title, a.name as agent_name, b.locale,
              asked.content, coalesce((
                select json_agg(json_build_object('role', said.role, 'content', said.content) order by said.id)
                from (
                  select h.id, h.role, h.content from messages h
                  where h.club_id = c.club_id and h.conversation_id = c.id and h.id < asked.id and h.content <> ''
                  order by h.id desc limit ${remembered}
                ) said
              ), '[]') as history
            from messages m
            join messages asked on asked.club_id = m.club_id and asked.id = m.reply_to
            join conversations c on c.club_id = m.club_id and c.id = m.conversation_id
            join lessons l on l.club_id = c.club_id and l.id = c.lesson_id
            join agents a on a.club_id = m.club_id
            join clubs b on b.id = m.club_id
            where m.club_id = ${club_id} and m.id = ${id} and m.conversation_id = ${conversation_id}`
          const [found] = yield* decodeQuestions(rows)
          return Option.fromUndefinedOr(found && { ...found, club_id, student_id })
        },
        Effect.orDie
      )

      const save = Effect.fn("AnswersRepo.save")(
        function*(claimed: Claimed, { citations, content }: Omit<LastWords, "tries">) {
          const rows = yield* sql`
            update messages
            set content = ${content}, citations = ${JSON.stringify(citations)}::jsonb, leased_until = ${yield* leaseEnd}
            where ${held(claimed)} returning 1`
          return rows.length === 1
        },
        Effect.orDie
      )

      const isHeld = Effect.fnUntraced(function*(claimed: Claimed) {
        return (yield* sql`select 1 from messages where ${held(claimed)}`).length === 1
      }, Effect.orDie)

      const release = Effect.fn("AnswersRepo.release")(function*(claimed: Claimed) {
        yield* sql`update messages set leased_until = ${yield* now} where ${held(claimed)}`
      }, Effect.orDie)

      return AnswersRepo.of({ claim, question, save, isHeld, release })
    })
  )
}
