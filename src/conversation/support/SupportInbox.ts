import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { supportStaff } from "../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { texts } from "../../platform/sql/Arrays.ts"
import { faultsDie, firstOr, rows } from "../../platform/sql/Rows.ts"
import type { StaffWriter } from "../authors/Viewer.ts"
import {
  AssigneeUnknown,
  type ConversationFilter,
  type ConversationId,
  type ConversationPatch,
  SupportConversation,
  type SupportMessage
} from "./Conversation.ts"
import { activityCursor, pageOfConversations, previewOf } from "./ConversationPage.ts"
import { highestActivity, inboxBeginning, inboxPageIds, isSupportStaff } from "./InboxPage.ts"
import { MessageReader } from "./MessageReader.ts"
import { MessageWriter } from "./MessageWriter.ts"

const Row = Schema.Struct({ ...SupportConversation.fields, activity: Schema.Int })
const decodeRows = rows(Row)
const decodeStudent = firstOr(Schema.Struct({ student_id: StudentId }), () => new NotFound())
const decodeNumber = firstOr(Schema.Struct({ last_number: Schema.Int }), () => new NotFound())
const conversationOf = (row: typeof Row.Type) => new SupportConversation(Struct.omit(row, ["activity"]))

/** A page of the inbox. */
export type InboxRequest = PageRequest & Schema.Struct.Type<typeof ConversationFilter>

/** The conversations of a club, for its staff. `NotFound`: the club has no such conversation. */
export class SupportInbox extends Context.Service<SupportInbox, {
  /** The latest activity first. */
  list(member: StaffWriter, request: InboxRequest): Effect.Effect<PageAnswer<SupportConversation>, InvalidCursor>
  get(member: StaffWriter, id: ConversationId): Effect.Effect<SupportConversation, NotFound>
  patch(
    member: StaffWriter,
    id: ConversationId,
    patch: ConversationPatch
  ): Effect.Effect<SupportConversation, AssigneeUnknown | NotFound | StudentRemoved>
  /** The newest first. */
  messages(
    member: StaffWriter,
    id: ConversationId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<SupportMessage>, InvalidCursor | NotFound>
  write(
    member: StaffWriter,
    id: ConversationId,
    body: string
  ): Effect.Effect<SupportMessage, NotFound | StudentRemoved>
  /** Marks the conversation as read up to its last message, for this member alone. */
  read(member: StaffWriter, id: ConversationId): Effect.Effect<void, NotFound>
}>()("turma/conversation/support/SupportInbox") {
  static readonly layer = Layer.effect(
    SupportInbox,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const writer = yield* MessageWriter
      const reader = yield* MessageReader
      const students = yield* StudentLocks

      const select = (member: StaffWriter, condition: Fragment) =>
        sql`
          select c.id, c.subject, c.status, c.created_at, c.last_message_at, c.activity,
            ${previewOf(sql)} as last_message_preview, c.last_number as messages_count,
            coalesce(mark.unread, 0) as unread_count, coalesce(mark.read_number, c.last_number) as read_number,
            (
              select jsonb_build_object('id', s.id, 'name', s.name) from students s
              where s.club_id = c.club_id and s.id = c.student_id
            ) as student,
            (
              select jsonb_build_object('id', u.id, 'name', u.name) from members m join users u on u.id = m.user_id
              where m.club_id = c.club_id and m.user_id = c.assignee_user_id and m.role = any (${texts(supportStaff)})
            ) as assignee
          from support_conversations c
          left join lateral (
            select m.unread, m.read_number from support_marks m
            where m.club_id = c.club_id and m.conversation_id = c.id and m.user_id = ${member.user_id}
              and m.activity > ${inboxBeginning(sql, member)}
            limit 1
          ) mark on true
          where c.club_id = ${member.club_id} and ${condition}`.pipe(decodeRows)

      const list = Effect.fn("SupportInbox.list")(function*(
        member: StaffWriter,
        { assignee_user_id, cursor, limit, status, unread }: InboxRequest
      ) {
        const before = Option.match(yield* activityCursor.read(cursor), {
          onNone: () => highestActivity,
          onSome: ({ activity }) => activity
        })
        const request = { status, assignee_user_id, unread: unread && unread === "true", before, count: limit + 1 }
        const rows = yield* select(
          member,
          sql`c.id = any (array(${inboxPageIds(sql, member, request)})) order by c.activity desc`
        )
        return yield* pageOfConversations(rows, limit, conversationOf)
      })

      const get = Effect.fn("SupportInbox.get")(function*(member: StaffWriter, id: ConversationId) {
        const [conversation] = yield* select(member, sql`c.id = ${id}`)
        return conversation === undefined ? yield* new NotFound() : conversationOf(conversation)
      })

      const studentOf = Effect.fnUntraced(function*(club_id: ClubId, id: ConversationId) {
        const { student_id } = yield* sql`
          select student_id from support_conversations where club_id = ${club_id} and id = ${id}`.pipe(decodeStudent)
        return student_id
      })

      const checkAssignee = Effect.fnUntraced(function*(club_id: ClubId, user_id: UserId) {
        const found = yield* Effect.orDie(sql`select 1 where ${isSupportStaff(sql, club_id, user_id)}`)
        if (found.length === 0) return yield* new AssigneeUnknown()
      })

      // The marks get the same values, because lists select by them.
      const change = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, id: ConversationId, patch: ConversationPatch) {
          const { assignee_user_id, status = null } = patch
          yield* students.lock(club_id, student_id)
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update support_conversations set status = coalesce(${status}, status),
                assignee_user_id = case when ${assignee_user_id !== undefined} then ${assignee_user_id ?? null}::uuid
                  else assignee_user_id end
              where club_id = ${club_id} and id = ${id}`
          )
          yield* sql`
            update support_marks m set status = c.status, assignee_user_id = c.assignee_user_id
            from support_conversations c
            where c.club_id = ${club_id} and c.id = ${id} and m.club_id = c.club_id and m.conversation_id = c.id`
        },
        sql.withTransaction,
        faultsDie
      )

      const patch = Effect.fn("SupportInbox.patch")(function*(
        member: StaffWriter,
        id: ConversationId,
        patch: ConversationPatch
      ) {
        const { club_id } = member
        const student_id = yield* studentOf(club_id, id)
        if (patch.assignee_user_id) yield* checkAssignee(club_id, patch.assignee_user_id)
        yield* change(club_id, student_id, id, patch)
        return yield* get(member, id)
      })

      const listMessages = Effect.fn("SupportInbox.messages")(function*(
        member: StaffWriter,
        id: ConversationId,
        page: PageRequest
      ) {
        yield* studentOf(member.club_id, id)
        return yield* reader.list(member, id, page)
      })

      const write = Effect.fn("SupportInbox.write")(function*(member: StaffWriter, id: ConversationId, body: string) {
        const student_id = yield* studentOf(member.club_id, id)
        const number = yield* writer.write(member, { conversation_id: id, student_id }, body)
        yield* answersAbout(student_id)
        return yield* reader.get(member, id, number)
      })

      // The lock keeps new messages out of the conversation, so whatever is unread afterwards came later.
      const read = Effect.fn("SupportInbox.read")(
        function*({ club_id, user_id }: StaffWriter, id: ConversationId) {
          const { last_number } = yield* sql`
            select last_number from support_conversations where club_id = ${club_id} and id = ${id} for share
          `.pipe(decodeNumber)
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update support_marks set unread = 0, read_number = greatest(read_number, ${last_number}::int)
              where club_id = ${club_id} and conversation_id = ${id} and user_id = ${user_id}
                and (unread > 0 or read_number < ${last_number}::int)`
          )
        },
        sql.withTransaction,
        faultsDie
      )

      return SupportInbox.of({ list, get, patch, messages: listMessages, write, read })
    })
  )
}
