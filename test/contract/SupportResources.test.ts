import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { idOf, openSupportClub } from "../conversation/support/SupportClub.ts"
import { AppLayer } from "../harness/App.ts"
import { assertData, assertEach, assertPages } from "./Answers.ts"
import { Author } from "./Records.ts"
import { boolean, integer, listOf, nullOr, oneOf, record, string, timestamp, uuid } from "./Shape.ts"

// Contract, Endpoints 9, and http-surface, Support.

const fields = {
  id: uuid,
  subject: string,
  status: oneOf("open", "pending", "closed"),
  created_at: timestamp,
  last_message_at: timestamp,
  last_message_preview: string,
  messages_count: integer,
  unread_count: integer,
  read_number: integer
}
const person = record({ id: uuid, name: string })
const SupportConversation = record({ ...fields, student: person, assignee: nullOr(person) })
const ClassroomConversation = record(fields)
const SupportMessage = record({
  id: uuid,
  number: integer,
  author: Author,
  body: string,
  mine: boolean,
  created_at: timestamp
})

layer(AppLayer)("Marking a conversation as read", (it) => {
  it.effect("answers without content, however often", () =>
    Effect.gen(function*() {
      const { ana, open, read } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      for (const answer of [yield* read(id), yield* read(id)]) {
        assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      }
    }))
})

layer(AppLayer)("The fields beside the contract", (it) => {
  it.effect("are those of a conversation and its messages to the staff, assigned or not, removed or not", () =>
    Effect.gen(function*() {
      const { ana, forget, open, owner, path, token } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const all = `${path}/support/conversations`
      yield* assertEach(token, SupportMessage, [["POST", `${all}/${id}/messages`, { body: "Já vejo" }]])
      const look = Effect.gen(function*() {
        yield* assertEach(token, SupportConversation, [["GET", `${all}/${id}`]])
        yield* assertPages(token, listOf(SupportConversation), [["GET", all], ["GET", `${all}?unread=false`]])
        yield* assertPages(token, listOf(SupportMessage), [["GET", `${all}/${id}/messages`]])
      })
      yield* look
      const patch = { status: "pending", assignee_user_id: owner.id }
      yield* assertEach(token, SupportConversation, [["PATCH", `${all}/${id}`, patch]])
      yield* forget(ana)
      yield* look
    }))

  it.effect("are those of a conversation and its messages to its student", () =>
    Effect.gen(function*() {
      const { ana, open, path, reply } = yield* openSupportClub
      const opened = yield* open(ana)
      assertData(opened, ClassroomConversation)
      const id = idOf(opened)
      yield* reply(id)
      const all = `${path}/classroom/support/conversations`
      yield* assertEach(ana.token, SupportMessage, [["POST", `${all}/${id}/messages`, { body: "E agora?" }]])
      yield* assertEach(ana.token, ClassroomConversation, [["GET", `${all}/${id}`]])
      yield* assertPages(ana.token, listOf(ClassroomConversation), [["GET", all]])
      yield* assertPages(ana.token, listOf(SupportMessage), [["GET", `${all}/${id}/messages`]])
    }))
})
