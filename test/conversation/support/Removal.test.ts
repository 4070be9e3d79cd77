import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ConversationId } from "../../../src/conversation/support/Conversation.ts"
import { StudentConversations } from "../../../src/conversation/support/StudentConversations.ts"
import { StudentRemoved } from "../../../src/identity/students/StudentRemoved.ts"
import { AppLayer, at, listAt, outcome, send } from "../../harness/App.ts"
import { whereIs } from "../../membership/students/Whereabouts.ts"
import { checkMarks } from "./Marks.ts"
import { idOf, listed, openSupportClub, unknownId } from "./SupportClub.ts"

layer(AppLayer)("The removal of a student", (it) => {
  it.effect("empties and closes their conversations, what the staff wrote to them too, and leaves others alone", () =>
    Effect.gen(function*() {
      const { ana, bia, forget, inbox, messages, one, open, ownMessages, reply, ...club } = yield* openSupportClub
      const word = "zwölfter"
      const id = idOf(yield* open(ana, `Assunto ${word}`, `Sou ${word}`))
      yield* reply(id, `Oi, ${word}`)
      const other = idOf(yield* open(bia, "Outro", "assunto"))
      assert.strictEqual((yield* forget(ana)).status, 204)
      assert.deepStrictEqual(yield* whereIs(word), [])
      const { last_message_preview, status, student, subject, unread_count } = Object(at((yield* one(id)).json, "data"))
      assert.deepStrictEqual({ last_message_preview, status, student, subject, unread_count }, {
        last_message_preview: "",
        status: "closed",
        student: { id: ana.id, name: "Anonymized" },
        subject: "",
        unread_count: 0
      })
      const said = listAt((yield* messages(id)).json, "data").map((message) => [
        at(message, "body"),
        at(message, "author", "role"),
        at(message, "author", "anonymized")
      ])
      assert.deepStrictEqual(said, [["", "staff", false], ["", "student", true]])
      assert.deepStrictEqual(listed(yield* inbox("?unread=true"), "id"), [other])
      assert.deepStrictEqual(listed(yield* inbox("?status=closed&unread=false"), "id"), [id])
      assert.deepStrictEqual(listed(yield* ownMessages(bia, other), "body"), ["assunto"])
      yield* checkMarks(club)
    }))

  it.effect("leaves nothing to write or change, and the list as it is read", () =>
    Effect.gen(function*() {
      const { ana, change, forget, messages, one, open, read, reply } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      yield* forget(ana)
      for (const answer of [reply(id), change(id, { status: "open" }), change(id, { assignee_user_id: null })]) {
        assert.deepStrictEqual(outcome(yield* answer), [409, "student_removed"])
      }
      assert.deepStrictEqual(
        outcome(yield* change(id, { assignee_user_id: unknownId })),
        [422, "assignee_unknown"]
      )
      const answers = [yield* one(id), yield* messages(id), yield* read(id)]
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 204])
    }))

  it.effect("leaves them nothing to do, though a request of theirs was on its way", () =>
    Effect.gen(function*() {
      const own = yield* StudentConversations
      const { ana, forget, id: club_id, open } = yield* openSupportClub
      const id = ConversationId.make(idOf(yield* open(ana)))
      yield* forget(ana)
      const student = { role: "student", club_id, student_id: ana.id, now: new Date(0) } as const
      const late = [own.open(student, { subject: "A", body: "B" }), own.write(student, id, "B"), own.read(student, id)]
      for (const work of late) assert.instanceOf(yield* Effect.flip<unknown, unknown, never>(work), StudentRemoved)
    }))

  it.effect("empties the kept answers to what both sides wrote", () =>
    Effect.gen(function*() {
      const { ana, forget, open, reply, say, ...club } = yield* openSupportClub
      const key = { "idempotency-key": "k" }
      const id = idOf(yield* open(ana, "A", "B", key))
      yield* say(ana, id, "B", key)
      yield* reply(id, "C", club, key)
      yield* forget(ana)
      const receipt = yield* send("GET", `${club.path}/students/${ana.id}/erasure`, club)
      assert.strictEqual(at(receipt.json, "data", "counts", "kept_answers"), 3, receipt.text)
      assert.deepStrictEqual(outcome(yield* reply(id, "C", club, key)), [409, "idempotency_answer_erased"])
    }))

  it.effect("at the same time as both sides write leaves no word and nothing unread", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, change, forget, id: club_id, open, read, reply, say } = yield* openSupportClub
      const [one, two] = [idOf(yield* open(ana)), idOf(yield* open(ana))]
      const [answers] = yield* Effect.all([
        Effect.all(
          Array.from({ length: 8 }, (_, index) => {
            const [to, also] = index % 2 === 0 ? [one, two] : [two, one]
            return [say(ana, to), reply(also), read(to), change(also, { status: "open" }), open(ana)]
          }).flat(),
          { concurrency: "unbounded" }
        ),
        forget(ana)
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.filter(({ status }) => status >= 500), [])
      const left = yield* sql`
        select 1 from support_conversations
        where club_id = ${club_id} and (subject <> '' or status <> 'closed' or student_unread > 0)
        union all select 1 from support_messages where club_id = ${club_id} and body <> ''
        union all select 1 from support_marks where club_id = ${club_id} and (unread > 0 or status <> 'closed')`
      assert.isEmpty(left)
    }))
})
