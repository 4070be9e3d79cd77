import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { LessonId } from "../../learning/content/Lesson.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie, first, one } from "../../platform/sql/Rows.ts"
import { type BudgetUnit, monthBudgetUsedUp } from "../budget/AssistantBudget.ts"
import { AnswerInProgress, stateMessages } from "./Ask.ts"
import { Conversation, type ConversationId } from "./messages/Conversation.ts"
import type { MessageId } from "./messages/Message.ts"
import { messageJson, MessageRow } from "./messages/MessageRow.ts"

const StateRow = Schema.Struct({
  agent_name: Schema.String,
  daily_limit: Schema.Int,
  used: Schema.Int,
  club_budget_exhausted: Schema.Boolean,
  conversation: Schema.NullOr(Schema.Struct({
    ...Conversation.fields,
    last_message_at: Schema.DateTimeUtcFromString,
    created_at: Schema.DateTimeUtcFromString
  })),
  messages: Schema.Array(MessageRow)
})

/** A student in a lesson. */
export interface Asker {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly lesson_id: LessonId
}

/** A question, and the answer that is to be generated. */
export interface NewMessages {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly conversation_id: ConversationId
  readonly question: { readonly id: MessageId; readonly content: string; readonly media_ids: ReadonlyArray<MediaId> }
  readonly reply: { readonly id: MessageId; readonly day: string; readonly unit: BudgetUnit }
  readonly created_at: DateTime.Utc
}

const decodeState = one(StateRow)
const decodeConversation = first(Conversation)
const decodeUsed = first(Schema.Struct({ used: Schema.Int }))

/** The tables `conversations`, `messages`, `message_images` and `assistant_days`, as asking reads and writes them. */
export class AskRepo extends Context.Service<AskRepo, {
  /** The student's latest conversation on this lesson, and the use of the day and the month. One statement. */
  state(asker: Asker, day: string, month: string): Effect.Effect<typeof StateRow.Type>
  /** None where it is of another lesson or student. In the caller's transaction, like every write here. */
  renewConversation(asker: Asker, id: ConversationId): Effect.Effect<Option.Option<Conversation>>
  insertConversation(asker: Asker, conversation: Conversation): Effect.Effect<void>
  insertMessages(messages: NewMessages): Effect.Effect<void, AnswerInProgress>
  /** Takes one question of the day and returns how many are used; none where the limit is reached. */
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

      const message = messageJson(sql)

      const state = Effect.fn("AskRepo.state")(
        function*({ club_id, lesson_id, student_id }: Asker, day: string, month: string) {
          return yield* sql`
            select a.name as agent_name, a.daily_limit,
              coalesce((
                select d.used from assistant_days d
                where d.club_id = a.club_id and d.student_id = ${student_id} and d.day = ${day}::date
              ), 0) as used,
              ${monthBudgetUsedUp(sql, club_id, month)} as club_budget_exhausted,
              case when c.id is not null then json_build_object(
                'id', c.id, 'title', c.title, 'last_message_at', c.last_message_at, 'created_at', c.created_at
              ) end as conversation,
              coalesce((
                select json_agg(recent.message order by recent.id) from (
                  select m.id, ${message} as message from messages m
                  where m.club_id = c.club_id and m.conversation_id = c.id order by m.id desc limit ${stateMessages}
                ) recent
              ), '[]') as messages
            from agents a
            left join lateral (
              select * from conversations latest
              where latest.club_id = a.club_id and latest.student_id = ${student_id} and latest.lesson_id = ${lesson_id}
              order by latest.last_message_at desc, latest.id desc limit 1
            ) c on true
            where a.club_id = ${club_id}`.pipe(decodeState)
        }
      )

      const renewConversation = Effect.fn("AskRepo.renewConversation")(
        function*({ club_id, lesson_id, student_id }: Asker, id: ConversationId) {
          return yield* sql`
            update conversations set last_message_at = ${DateTime.toDateUtc(yield* DateTime.now)}
            where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id} and id = ${id}
            returning id, title, last_message_at, created_at`.pipe(decodeConversation)
        }
      )

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

      const takeOfDay = Effect.fn("AskRepo.takeOfDay")(
        function*(club_id: ClubId, student_id: StudentId, day: string, daily_limit: number) {
          const found = yield* sql`
            insert into assistant_days as d (club_id, student_id, day, used)
            select ${club_id}::uuid, ${student_id}::uuid, ${day}::date, 1 where ${daily_limit}::int > 0
            on conflict (club_id, student_id, day) do update set used = d.used + 1 where d.used < ${daily_limit}::int
            returning d.used`.pipe(decodeUsed)
          return Option.map(found, ({ used }) => used)
        }
      )

      return AskRepo.of({ state, renewConversation, insertConversation, insertMessages, takeOfDay })
    })
  )
}
