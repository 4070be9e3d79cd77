import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { accessibleLesson } from "../../learning/content/AccessibleLessons.ts"
import type { LessonId } from "../../learning/content/Lesson.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { askedOnce, type ItemHolder } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { MadeJson } from "../../platform/http/json/MadeJson.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { instantText } from "../../platform/sql/InstantJson.ts"
import { faultsDie, first, firstOr } from "../../platform/sql/Rows.ts"
import { type BudgetUnit, monthBudgetUsedUp } from "../budget/AssistantBudget.ts"
import { AnswerInProgress, stateMessages } from "./Ask.ts"
import { Conversation, type ConversationId } from "./messages/Conversation.ts"
import type { MessageId } from "./messages/Message.ts"
import { hasImages, messageJson } from "./messages/MessageRow.ts"

const StateRow = Schema.Struct({
  agent_name: Schema.String,
  daily_limit: Schema.Int,
  used: Schema.Int,
  club_budget_exhausted: Schema.Boolean,
  conversation: MadeJson,
  messages: MadeJson,
  has_images: Schema.Boolean
})

/** A student in a lesson. */
export interface Asker {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly lesson_id: LessonId
}

/** A question and its future answer. */
export interface NewMessages {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly conversation_id: ConversationId
  readonly question: { readonly id: MessageId; readonly content: string; readonly media_ids: ReadonlyArray<MediaId> }
  readonly reply: { readonly id: MessageId; readonly day: string; readonly unit: BudgetUnit }
  readonly created_at: DateTime.Utc
}

const decodeState = firstOr(StateRow, () => new NotFound())
const decodeConversation = first(Conversation)
const decodeUsed = first(Schema.Struct({ used: Schema.Int }))

/** The tables `conversations`, `messages`, `message_images` and `assistant_days`, as asking reads and writes them. */
export class AskRepo extends Context.Service<AskRepo, {
  /**
   * The student's latest conversation on this lesson, with its messages as `messageJson` writes them, and the used
   * questions of the day and the month. The conversation is `null` before the first question. `NotFound`: the student
   * has no such lesson. One statement.
   */
  state(
    student: ItemHolder,
    public_id: string,
    period: { readonly day: string; readonly month: string }
  ): Effect.Effect<typeof StateRow.Type, NotFound>
  /** Empty if it belongs to another lesson or student. In the caller's transaction, like every write here. */
  renewConversation(asker: Asker, id: ConversationId): Effect.Effect<Option.Option<Conversation>>
  insertConversation(asker: Asker, conversation: Conversation): Effect.Effect<void>
  insertMessages(messages: NewMessages): Effect.Effect<void, AnswerInProgress>
  /** Counts one question of the day and returns the number of used ones; empty if the limit is reached. */
  takeOfDay(
    club_id: ClubId,
    student_id: StudentId,
    day: string,
    daily_limit: number
  ): Effect.Effect<Option.Option<number>>
}>()("turma/assistant/ask/AskRepo") {
  static readonly layer = Layer.effect(
    AskRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const conversation = sql`(
        select row_to_json(written) from (
          select c.id, c.title, ${instantText(sql, sql`c.last_message_at`)} as last_message_at,
            ${instantText(sql, sql`c.created_at`)} as created_at
        ) written
      )`

      const state: AskRepo["Service"]["state"] = (student, public_id, { day, month }) => {
        const { asked, holder } = askedOnce(sql, student)
        const { club_id, student_id } = holder
        const own = { id: sql`lesson.lesson_id`, public_id: sql`lesson.public_id` }
        return sql`
          select a.name as agent_name, a.daily_limit,
            coalesce((
              select d.used from assistant_days d
              where d.club_id = ${club_id} and d.student_id = ${student_id} and d.day = ${day}::date
            ), 0) as used,
            ${monthBudgetUsedUp(sql, club_id, month)} as club_budget_exhausted,
            case when c.id is null then 'null' else ${conversation}::text end as conversation,
            coalesce(said.messages::text, '[]') as messages, coalesce(said.has_images, false) as has_images
          from ${asked} cross join lateral (${accessibleLesson(sql, holder, public_id)}) lesson
          left join agents a on a.club_id = ${club_id}
          left join lateral (
            select * from conversations latest
            where latest.club_id = ${club_id} and latest.student_id = ${student_id}
              and latest.lesson_id = lesson.lesson_id
            order by latest.last_message_at desc, latest.id desc limit 1
          ) c on true
          left join lateral (
            select json_agg(recent.message order by recent.id) as messages, bool_or(recent.has_images) as has_images
            from (
              select m.id, ${messageJson(sql, { now: holder.now, own })} as message, ${hasImages(sql)} as has_images
              from messages m
              where m.club_id = c.club_id and m.conversation_id = c.id order by m.id desc limit ${stateMessages}
            ) recent
          ) said on true`.pipe(decodeState)
      }

      const renewConversation = Effect.fn("AskRepo.renewConversation")(function*(
        { club_id, lesson_id, student_id }: Asker,
        id: ConversationId
      ) {
        return yield* sql`
            update conversations set last_message_at = ${DateTime.toDateUtc(yield* DateTime.now)}
            where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id} and id = ${id}
            returning id, title, last_message_at, created_at`.pipe(decodeConversation)
      })

      const insertConversation = Effect.fn("AskRepo.insertConversation")(
        function*(asker: Asker, { created_at, id, last_message_at, title }: Conversation) {
          const times = {
            created_at: DateTime.toDateUtc(created_at),
            last_message_at: DateTime.toDateUtc(last_message_at)
          }
          yield* sql`insert into conversations ${sql.insert({ ...asker, id, title, ...times })}`
        },
        Effect.orDie
      )

      const insertMessages = Effect.fn("AskRepo.insertMessages")(
        function*({ club_id, conversation_id, created_at, question, reply, student_id }: NewMessages) {
          const at = DateTime.toDateUtc(created_at)
          const { month, plan_period } = reply.unit
          const period = plan_period === null ? null : DateTime.toDateUtc(plan_period)
          yield* sql`
            insert into messages (club_id, id, conversation_id, student_id, role, content, status, reply_to, day, month,
              plan_period, created_at, completed_at)
            values
              (${club_id}, ${question.id}, ${conversation_id}, ${student_id}, 'user', ${question.content}, 'completed',
                null, null, null, null, ${at}, ${at}),
              (${club_id}, ${reply.id}, ${conversation_id}, ${student_id}, 'assistant', '', 'generating',
                ${question.id}, ${reply.day}::date, ${month}::date, ${period}, ${at}, null)`
          yield* sql`
            insert into message_images (club_id, message_id, media_id, position)
            select ${club_id}::uuid, ${question.id}::uuid, sent.id, sent.position
            from unnest(${uuids(question.media_ids)}) with ordinality as sent (id, position)`
        },
        Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(new AnswerInProgress())),
        faultsDie
      )

      const takeOfDay = Effect.fn("AskRepo.takeOfDay")(function*(
        club_id: ClubId,
        student_id: StudentId,
        day: string,
        daily_limit: number
      ) {
        const found = yield* sql`
            insert into assistant_days as d (club_id, student_id, day, used)
            select ${club_id}::uuid, ${student_id}::uuid, ${day}::date, 1 where ${daily_limit}::int > 0
            on conflict (club_id, student_id, day) do update set used = d.used + 1 where d.used < ${daily_limit}::int
            returning d.used`.pipe(decodeUsed)
        return Option.map(found, ({ used }) => used)
      })

      return AskRepo.of({ state, renewConversation, insertConversation, insertMessages, takeOfDay })
    })
  )
}
