import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ConversationId, ConversationStatus } from "../../../src/conversation/support/Conversation.ts"
import { StudentConversations } from "../../../src/conversation/support/StudentConversations.ts"
import { supportEraser } from "../../../src/conversation/support/SupportEraser.ts"
import { type InboxRequest, SupportInbox } from "../../../src/conversation/support/SupportInbox.ts"
import { AppLayer, foundClub } from "../../harness/App.ts"
import { makeMember, makeStudent } from "../../harness/Makers.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"
import { fillCrowd, hardCrowds } from "./Crowd.ts"

// Takes long: 20,000 conversations are written four times.

const size = 20_000

/** The most rows of a table that a page of 25 may read: for each of 3 statuses a page of marks and of conversations. */
const bound = 200

/** PostgreSQL plans a new statement for its values. After several uses it may plan it once for all values. */
const modes = ["force_custom_plan", "force_generic_plan"] as const

/** The work in the transaction of `readingMuch`, with its statements planned in this mode. */
const planned = <A, E, R>(mode: (typeof modes)[number], work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`select set_config('plan_cache_mode', ${mode}, true)`
    return yield* work
  })

const optional = <Value>(values: ReadonlyArray<Value>) => [undefined, ...values]

/** Every combination of filters. */
const requests = (assignee_user_id: NonNullable<InboxRequest["assignee_user_id"]>): ReadonlyArray<InboxRequest> =>
  optional(ConversationStatus.literals).flatMap((status) =>
    optional(["true", "false"] as const).flatMap((unread) =>
      optional([assignee_user_id]).map((assignee) => ({
        limit: 25,
        ...(status === undefined ? {} : { status }),
        ...(unread === undefined ? {} : { unread }),
        ...(assignee === undefined ? {} : { assignee_user_id: assignee })
      }))
    )
  )

/** A club with this crowd, a member whose inbox has marks of all, and one who came later. */
const large = Effect.fnUntraced(function*(crowd: (typeof hardCrowds)[keyof typeof hardCrowds]) {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundClub()
  const student = yield* makeStudent(club)
  const [old, newcomer] = [yield* makeMember(club, "support"), yield* makeMember(club, "support")]
  const assignee = club.owner.id
  yield* fillCrowd({ club_id: club.id, student_id: student.id, assignee, size, members: [assignee, old.id], ...crowd })
  yield* sql`
    insert into support_inboxes (club_id, user_id, since) values (${club.id}, ${newcomer.id}, ${size / 2})`
  yield* sql`
    insert into support_marks (club_id, conversation_id, user_id, activity, status, assignee_user_id, unread, read_number)
    select club_id, conversation_id, ${newcomer.id}::uuid, activity, status, assignee_user_id, unread, read_number
    from support_marks where club_id = ${club.id} and user_id = ${old.id}`
  yield* vacuumed("support_marks")
  const staff = (user_id: typeof assignee) => ({ role: "staff", club_id: club.id, user_id } as const)
  return { ...club, student, assignee, old: staff(old.id), newcomer: staff(newcomer.id) }
})

layer(AppLayer)("In a large club", (it) => {
  it.effect.each(["nearly all read", "nearly all unread", "half of each"] as const)(
    "where conversations are %s, a page of any list reads its own rows",
    (name) =>
      Effect.gen(function*() {
        const inbox = yield* SupportInbox
        const { assignee, newcomer, old } = yield* large(hardCrowds[name])
        for (const member of [old, newcomer]) {
          for (const request of requests(assignee)) {
            const work = inbox.list(member, request)
            for (const mode of modes) {
              assert.deepStrictEqual(yield* readingMuch(planned(mode, work), bound), [], JSON.stringify(request))
            }
          }
        }
      })
  )

  it.effect("whatever else is done with a conversation reads its own rows", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const inbox = yield* SupportInbox
      const own = yield* StudentConversations
      const { id: club_id, assignee, old, student } = yield* large(hardCrowds["half of each"])
      const other = yield* makeStudent({ id: club_id })
      const viewer = { role: "student", club_id, student_id: other.id, now: new Date(0) } as const
      const { id } = yield* own.open(viewer, { subject: "A", body: "B" })
      const body = "C"
      const eraser = yield* supportEraser
      const work: Record<string, Effect.Effect<unknown, unknown>> = {
        "a conversation": inbox.get(old, id),
        "its messages": inbox.messages(old, id, { limit: 25 }),
        "a reply": inbox.write(old, id, body),
        "a change": inbox.patch(old, id, { status: "pending", assignee_user_id: assignee }),
        "a read": inbox.read(old, id),
        "a new conversation": own.open(viewer, { subject: "A", body }),
        "a student's conversations": own.list(viewer, { limit: 25 }),
        "those of whoever has many": own.list({ ...viewer, student_id: student.id }, { limit: 25 }),
        "a student's conversation": own.get(viewer, id),
        "its messages to the student": own.messages(viewer, id, { limit: 25 }),
        "a student's message": own.write(viewer, id, body),
        "a student's read": own.read(viewer, id),
        "no conversation": Effect.exit(inbox.get(old, ConversationId.make(other.id))),
        "a removal": eraser.erase({ club_id, student_id: other.id, email: other.email })
      }
      for (const [name, one] of Object.entries(work)) {
        for (const mode of modes) {
          assert.deepStrictEqual(yield* readingMuch(planned(mode, one), bound), [], name)
        }
      }
      // The measure detects a scan.
      assert.deepStrictEqual(yield* readingMuch(sql`select count(*) from support_marks where unread = 7`, bound), [
        "support_marks"
      ])
    }))
})
