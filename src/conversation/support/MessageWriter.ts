import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import { supportStaff } from "../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { texts } from "../../platform/sql/Arrays.ts"
import { allAtOnce, bothAtOnce } from "../../platform/sql/AtOnce.ts"
import { faultsDie, firstOr, one } from "../../platform/sql/Rows.ts"
import type { StudentViewer, Writer } from "../authors/Viewer.ts"
import { ConversationId, type OpenConversation, SupportMessageId } from "./Conversation.ts"
import { SupportAnswers } from "./SupportAnswers.ts"

const decodeActivity = one(Schema.Struct({ activity: Schema.Int }))
const decodeNumber = firstOr(Schema.Struct({ number: Schema.Int }), () => new NotFound())

/** A message with its number and activity. `user_id` is null if the student wrote it. */
interface NewMessage {
  readonly club_id: ClubId
  readonly id: SupportMessageId
  readonly conversation_id: ConversationId
  readonly student_id: StudentId
  readonly user_id: UserId | null
  readonly number: number
  readonly activity: number
  readonly body: string
  readonly created_at: Date
}

const userOf = (writer: Writer) => writer.role === "staff" ? writer.user_id : null

/**
 * Writes messages, in a transaction that locks the student, then the club's row in `support_desks`, then the
 * conversation. A message is unread to the other side; writing counts as reading.
 */
export class MessageWriter extends Context.Service<MessageWriter, {
  /** Opens a conversation with the student's first message. */
  open(
    student: StudentViewer,
    asked: typeof OpenConversation.Type
  ): Effect.Effect<ConversationId, NotFound | StudentRemoved>
  /**
   * Opens a conversation in which the student asks to be removed. While such a conversation of theirs is not closed, it
   * writes nothing.
   */
  openRemoval(
    student: StudentViewer,
    asked: typeof OpenConversation.Type
  ): Effect.Effect<void, NotFound | StudentRemoved>
  /**
   * Answers the number of the message. A student's opens the conversation again. Of the staff's the student is notified
   * and mailed.
   */
  write(
    writer: Writer,
    to: { readonly conversation_id: ConversationId; readonly student_id: StudentId },
    body: string
  ): Effect.Effect<number, NotFound | StudentRemoved>
}>()("turma/conversation/support/MessageWriter") {
  static readonly layer = Layer.effect(
    MessageWriter,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const students = yield* StudentLocks
      const answers = yield* SupportAnswers

      // The row stays locked until the transaction ends: every other message of the club has a lower activity, or is
      // not written yet.
      const nextActivity = Effect.fnUntraced(function*(club_id: ClubId) {
        const found = yield* sql`
          insert into support_desks as d (club_id, activity) values (${club_id}, 1)
          on conflict (club_id) do update set activity = d.activity + 1 returning activity`.pipe(decodeActivity)
        return found.activity
      })

      /**
       * Gives every member who looks after students an inbox that begins with this message, and deletes the inboxes of
       * members who no longer do.
       */
      const updateInboxes = ({ activity, club_id }: NewMessage) =>
        sql`
          with gone as (
            delete from support_inboxes i where i.club_id = ${club_id} and (
              select true from members m
              where m.club_id = i.club_id and m.user_id = i.user_id and m.role = any (${texts(supportStaff)}) limit 1
            ) is not true
          )
          insert into support_inboxes (club_id, user_id, since)
          select m.club_id, m.user_id, ${activity - 1}::int from members m
          where m.club_id = ${club_id} and m.role = any (${texts(supportStaff)})
          on conflict (club_id, user_id) do nothing`

      /** Moves the conversation up in every inbox. A mark from before the inbox began starts afresh. */
      const updateMarks = ({ activity, club_id, conversation_id, number, user_id }: NewMessage) =>
        sql`
          insert into support_marks as m
            (club_id, conversation_id, user_id, activity, status, assignee_user_id, unread, read_number)
          select c.club_id, c.id, i.user_id, ${activity}::int, c.status, c.assignee_user_id,
            ${user_id === null ? 1 : 0}::int, case when i.user_id = ${user_id}::uuid then ${number}::int else
            ${number - 1}::int end
          from support_conversations c join support_inboxes i on i.club_id = c.club_id
          where c.club_id = ${club_id} and c.id = ${conversation_id}
          on conflict (club_id, conversation_id, user_id) do update set
            activity = excluded.activity, status = excluded.status, assignee_user_id = excluded.assignee_user_id,
            unread = case
              when m.user_id = ${user_id}::uuid then 0
              when m.activity > (
                select i.since from support_inboxes i where i.club_id = excluded.club_id and i.user_id = excluded.user_id
              ) then m.unread + excluded.unread
              else excluded.unread
            end,
            read_number = case
              when m.user_id = ${user_id}::uuid then excluded.read_number
              when m.activity > (
                select i.since from support_inboxes i where i.club_id = excluded.club_id and i.user_id = excluded.user_id
              ) then m.read_number
              else excluded.read_number
            end`

      const insertMessage = Effect.fnUntraced(function*(message: NewMessage) {
        const { body, club_id, conversation_id, created_at, id, number, student_id, user_id } = message
        const author = user_id === null ? { student_id } : { user_id }
        const insert = audited((audit) =>
          sql`
            ${audit.with}
            insert into support_messages
            ${sql.insert({ club_id, conversation_id, number, id, body, created_at, ...author })}`
        )
        yield* allAtOnce([insert, updateInboxes(message), updateMarks(message)])
      })

      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const newMessageId = Effect.map(Effect.orDie(random.uuidV7()), (id) => SupportMessageId.make(id))

      // The caller has locked the student.
      const insertConversation = Effect.fnUntraced(function*(
        { club_id, student_id }: StudentViewer,
        { body, subject }: typeof OpenConversation.Type,
        asks_removal: boolean
      ) {
        const activity = yield* nextActivity(club_id)
        const id = ConversationId.make(yield* Effect.orDie(random.uuidV7()))
        const created_at = yield* now
        const conversation = { club_id, id, student_id, subject, status: "open", activity, created_at, asks_removal }
        const counts = { last_number: 1, student_unread: 0, student_read_number: 1, last_message_at: created_at }
        const first = {
          club_id,
          id: yield* newMessageId,
          conversation_id: id,
          student_id,
          user_id: null,
          number: 1,
          activity,
          body,
          created_at
        }
        yield* bothAtOnce(
          sql`insert into support_conversations ${sql.insert({ ...conversation, ...counts })}`,
          insertMessage(first)
        )
        return id
      })

      const open = Effect.fn("MessageWriter.open")(
        function*(student: StudentViewer, asked: typeof OpenConversation.Type) {
          yield* students.lock(student.club_id, student.student_id)
          return yield* insertConversation(student, asked, false)
        },
        sql.withTransaction,
        faultsDie
      )

      // The lock puts requests of one student in order, so each sees the conversation of the one before.
      const openRemoval = Effect.fn("MessageWriter.openRemoval")(
        function*(student: StudentViewer, asked: typeof OpenConversation.Type) {
          const { club_id, student_id } = student
          yield* students.lock(club_id, student_id)
          const open = yield* sql`
            select from support_conversations
            where club_id = ${club_id} and student_id = ${student_id} and asks_removal and status <> 'closed' limit 1`
          if (open.length === 0) yield* insertConversation(student, asked, true)
        },
        sql.withTransaction,
        faultsDie
      )

      /** Locks the conversation and answers its next number. */
      const nextNumber = Effect.fnUntraced(function*(message: Omit<NewMessage, "number">) {
        const { activity, club_id, conversation_id, created_at, student_id, user_id } = message
        const ofStudent = user_id === null
        const { number } = yield* sql`
          update support_conversations set
            activity = ${activity}::int, last_number = last_number + 1, last_message_at = ${created_at},
            status = case when ${ofStudent} then 'open' else status end,
            student_unread = case when ${ofStudent} then 0 else student_unread + 1 end,
            student_read_number = case when ${ofStudent} then last_number + 1 else student_read_number end
          where club_id = ${club_id} and id = ${conversation_id} and student_id = ${student_id}
          returning last_number as number`.pipe(decodeNumber)
        return number
      })

      const write = Effect.fn("MessageWriter.write")(
        function*(
          writer: Writer,
          to: { readonly conversation_id: ConversationId; readonly student_id: StudentId },
          body: string
        ) {
          const { club_id } = writer
          const id = yield* newMessageId
          yield* creates(id)
          yield* students.lock(club_id, to.student_id)
          const activity = yield* nextActivity(club_id)
          const message = { club_id, id, ...to, user_id: userOf(writer), activity, body, created_at: yield* now }
          const number = yield* nextNumber(message)
          yield* insertMessage({ ...message, number })
          if (writer.role === "staff") {
            const { conversation_id } = to
            yield* answers.tell({ club_id, conversation_id, user_id: writer.user_id, body })
          }
          return number
        },
        sql.withTransaction,
        faultsDie
      )

      return MessageWriter.of({ open, openRemoval, write })
    })
  ).pipe(Layer.provide([SupportAnswers.layer, NodeCrypto.layerSecureRandom]))
}
