import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { faultsDie, rows } from "../../platform/sql/Rows.ts"
import type { StudentViewer } from "../authors/Viewer.ts"
import {
  ClassroomConversation,
  type ConversationId,
  type OpenConversation,
  type SupportMessage
} from "./Conversation.ts"
import { activityCursor, pageOfConversations, previewOf } from "./ConversationPage.ts"
import { MessageReader } from "./MessageReader.ts"
import { MessageWriter } from "./MessageWriter.ts"

const Row = Schema.Struct({ ...ClassroomConversation.fields, activity: Schema.Int })
const decodeRows = rows(Row)
const conversationOf = (row: typeof Row.Type) => new ClassroomConversation(Struct.omit(row, ["activity"]))

/** The conversations of a student, for that student. `NotFound`: it does not exist, or it is another's. */
export class StudentConversations extends Context.Service<StudentConversations, {
  /** The latest activity first. */
  list(student: StudentViewer, page: PageRequest): Effect.Effect<PageAnswer<ClassroomConversation>, InvalidCursor>
  get(student: StudentViewer, id: ConversationId): Effect.Effect<ClassroomConversation, NotFound>
  open(
    student: StudentViewer,
    asked: typeof OpenConversation.Type
  ): Effect.Effect<ClassroomConversation, NotFound | StudentRemoved>
  /** The newest first. */
  messages(
    student: StudentViewer,
    id: ConversationId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<SupportMessage>, InvalidCursor | NotFound>
  write(
    student: StudentViewer,
    id: ConversationId,
    body: string
  ): Effect.Effect<SupportMessage, NotFound | StudentRemoved>
  /** Its notifications become read too. */
  read(student: StudentViewer, id: ConversationId): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/conversation/support/StudentConversations") {
  static readonly layer = Layer.effect(
    StudentConversations,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const writer = yield* MessageWriter
      const reader = yield* MessageReader
      const students = yield* StudentLocks
      const notifications = yield* Notifications

      const own = ({ club_id, student_id }: StudentViewer, condition: Fragment) =>
        sql`
          select c.id, c.subject, c.status, c.created_at, c.last_message_at, c.activity,
            ${previewOf(sql)} as last_message_preview, c.last_number as messages_count,
            c.student_unread as unread_count, c.student_read_number as read_number
          from support_conversations c
          where c.club_id = ${club_id} and c.student_id = ${student_id} and ${condition}
        `.pipe(decodeRows)

      const list = Effect.fn("StudentConversations.list")(function*(
        student: StudentViewer,
        { cursor, limit }: PageRequest
      ) {
        const earlier = Option.match(yield* activityCursor.read(cursor), {
          onNone: () => sql`true`,
          onSome: ({ activity }) => sql`c.activity < ${activity}::int`
        })
        const rows = yield* own(student, sql`${earlier} order by c.activity desc limit ${limit + 1}`)
        return yield* pageOfConversations(rows, limit, conversationOf)
      })

      const get = Effect.fn("StudentConversations.get")(function*(student: StudentViewer, id: ConversationId) {
        const [conversation] = yield* own(student, sql`c.id = ${id}`)
        return conversation === undefined ? yield* new NotFound() : conversationOf(conversation)
      })

      const open = Effect.fn("StudentConversations.open")(function*(
        student: StudentViewer,
        asked: typeof OpenConversation.Type
      ) {
        const id = yield* writer.open(student, asked)
        yield* answersAbout(student.student_id)
        return yield* get(student, id)
      })

      const listMessages = Effect.fn("StudentConversations.messages")(function*(
        student: StudentViewer,
        id: ConversationId,
        page: PageRequest
      ) {
        yield* get(student, id)
        return yield* reader.list(student, id, page)
      })

      const write = Effect.fn("StudentConversations.write")(function*(
        student: StudentViewer,
        id: ConversationId,
        body: string
      ) {
        const { student_id } = student
        const number = yield* writer.write(student, { conversation_id: id, student_id }, body)
        yield* answersAbout(student_id)
        return yield* reader.get(student, id, number)
      })

      const read = Effect.fn("StudentConversations.read")(
        function*({ club_id, student_id }: StudentViewer, id: ConversationId) {
          yield* students.lock(club_id, student_id)
          const rows = yield* sql`
            update support_conversations set student_unread = 0, student_read_number = last_number
            where club_id = ${club_id} and id = ${id} and student_id = ${student_id} returning 1`
          if (rows.length === 0) return yield* new NotFound()
          yield* notifications.seen(club_id, student_id, id)
        },
        sql.withTransaction,
        faultsDie
      )

      return StudentConversations.of({ list, get, open, messages: listMessages, write, read })
    })
  ).pipe(Layer.provide(Notifications.layer))
}
