import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AssistantComments } from "../../../src/conversation/comments/AssistantComments.ts"
import { CommentId } from "../../../src/conversation/comments/Comment.ts"
import { AppLayer, at, enrolledStudent, send } from "../../harness/App.ts"
import { makeEnrollment } from "../../harness/Makers.ts"
import { callsOf, listed } from "../../membership/notifications/Notified.ts"
import { openCommunity } from "../community/OpenCommunity.ts"
import { idOf, openCommentsClub, withdraw } from "./CommentsClub.ts"

const manyLinks = "http://a.example http://b.example http://c.example http://d.example"

const opened = Effect.map(openCommentsClub, (club) => ({ ...club, ...callsOf(club) }))

layer(AppLayer)("A student is notified of", (it) => {
  it.effect("a reply of another student or of the staff to their comment, with its words and place", () =>
    Effect.gen(function*() {
      const { ana, answer, bia, comment, lesson, own, owner } = yield* opened
      const parent_id = idOf(yield* comment(ana, "Como respiro?"))
      const reply = idOf(yield* comment(bia, { body: "Deite-se", parent_id }))
      yield* answer(parent_id, "Sente-se")
      const { json } = yield* own(ana)
      assert.deepStrictEqual(listed(json, "kind", "title", "excerpt", "actor_name", "actor_role"), [
        ["reply", lesson.title, "Sente-se", owner.name, "staff"],
        ["reply", lesson.title, "Deite-se", bia.name, "student"]
      ])
      assert.deepStrictEqual(at(json, "data", 1, "target"), {
        lesson_public_id: lesson.public_id,
        comment_id: reply,
        post_id: null,
        conversation_id: null,
        live_id: null
      })
      assert.deepStrictEqual(listed((yield* own(bia)).json, "kind"), [])
    }))

  it.effect("a reply to their reply, as the author of the thread's first comment is", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, kinds, learner } = yield* opened
      const noel = yield* learner
      const parent_id = idOf(yield* comment(ana, "A"))
      const reply = idOf(yield* comment(bia, { body: "B", parent_id }))
      yield* comment(noel, { body: "C", parent_id: reply })
      assert.deepStrictEqual([yield* kinds(ana), yield* kinds(bia)], [["reply", "reply"], ["reply"]])
    }))

  it.effect("a mention, which stands for the reply that it is in", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, kinds } = yield* opened
      const parent_id = idOf(yield* comment(ana, { body: "A", mentions: [ana.id, bia.id] }))
      yield* comment(bia, { body: "B", parent_id, mentions: [ana.id] })
      assert.deepStrictEqual([yield* kinds(ana), yield* kinds(bia)], [["mention"], ["mention"]])
    }))

  it.effect("the assistant's reply to their comment", () =>
    Effect.gen(function*() {
      const assistant = yield* AssistantComments
      const { ana, comment, id, own } = yield* opened
      const asked = CommentId.make(idOf(yield* comment(ana, "Como respiro?")))
      yield* assistant.reply(id, asked, { body: "Deite-se" })
      assert.deepStrictEqual(listed((yield* own(ana)).json, "kind", "actor_role"), [["assistant_answer", "assistant"]])
    }))

  it.effect("no comment of their own", () =>
    Effect.gen(function*() {
      const { ana, comment, kinds } = yield* opened
      const parent_id = idOf(yield* comment(ana, "A"))
      yield* comment(ana, { body: "B", parent_id, mentions: [ana.id] })
      assert.deepStrictEqual(yield* kinds(ana), [])
    }))

  it.effect("no comment on a lesson that they do not have, or no longer", () =>
    Effect.gen(function*() {
      const { ana, answer, bia, comment, kinds, ...club } = yield* opened
      const outside = yield* enrolledStudent(club)
      const id = idOf(yield* comment(ana, { body: "A", mentions: [outside.id] }))
      yield* withdraw(club)
      yield* answer(id, { body: "B", mentions: [bia.id] })
      for (const student of [outside, ana, bia]) assert.deepStrictEqual(yield* kinds(student), [])
    }))
})

layer(AppLayer)("A comment that students do not see", (it) => {
  it.effect("notifies once the staff lets it through", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, kinds, moderate } = yield* opened
      const parent_id = idOf(yield* comment(ana, "A"))
      const id = idOf(yield* comment(bia, { body: manyLinks, parent_id }))
      assert.deepStrictEqual(yield* kinds(ana), [])
      yield* moderate(id, { pending: false })
      yield* moderate(id, { pending: false })
      assert.deepStrictEqual(yield* kinds(ana), ["reply"])
    }))

  it.effect("notifies its author of replies, and others of them no sooner than it is seen", () =>
    Effect.gen(function*() {
      const { ana, answer, bia, comment, kinds } = yield* opened
      const id = idOf(yield* comment(ana, manyLinks))
      yield* answer(id, { body: "A", mentions: [bia.id] })
      assert.deepStrictEqual([yield* kinds(ana), yield* kinds(bia)], [["reply"], []])
    }))

  it.effect.each(["hidden", "spam", "pending"])(
    "is in no notification once it is %s, and again when it is not",
    (mark) =>
      Effect.gen(function*() {
        const { ana, bia, comment, kinds, moderate } = yield* opened
        const parent_id = idOf(yield* comment(ana, "A"))
        const id = idOf(yield* comment(bia, { body: "B", parent_id }))
        yield* moderate(id, { [mark]: true })
        assert.deepStrictEqual(yield* kinds(ana), [])
        yield* moderate(id, { [mark]: false })
        assert.deepStrictEqual(yield* kinds(ana), ["reply"])
      })
  )

  it.effect("is in no notification once three students have reported it, or its author has added links", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, edit, kinds, learner, report } = yield* opened
      const parent_id = idOf(yield* comment(ana, "A"))
      const reported = idOf(yield* comment(bia, { body: "B", parent_id }))
      const edited = idOf(yield* comment(bia, { body: "C", parent_id }))
      for (const student of [ana, yield* learner, yield* learner]) yield* report(student, reported)
      assert.deepStrictEqual(yield* kinds(ana), ["reply"])
      yield* edit(bia, edited, manyLinks)
      assert.deepStrictEqual(yield* kinds(ana), [])
    }))

  it.effect("is in no notification once it is deleted", () =>
    Effect.gen(function*() {
      const { ana, bia, bury, comment, kinds, remove } = yield* opened
      const parent_id = idOf(yield* comment(ana, "A"))
      const reply = Effect.map(comment(bia, { body: "B", parent_id }), idOf)
      const [own, staffs] = [yield* reply, yield* reply]
      yield* remove(bia, own)
      yield* bury(staffs)
      assert.deepStrictEqual(yield* kinds(ana), [])
    }))

  it.effect("leaves its new words alone in notifications when it is edited", () =>
    Effect.gen(function*() {
      const { ana, answer, bia, comment, edit, moderate, own } = yield* opened
      const parent_id = idOf(yield* comment(ana, "A"))
      yield* edit(bia, idOf(yield* comment(bia, { body: "B", parent_id })), "C")
      yield* moderate(idOf(yield* answer(parent_id, "D")), { body: "E" })
      assert.deepStrictEqual(listed((yield* own(ana)).json, "excerpt"), [["E"], ["C"]])
    }))
})

layer(AppLayer)("The author of a post", (it) => {
  const posted = Effect.gen(function*() {
    const club = yield* openCommunity
    const post = (body: object) => Effect.map(club.post(club.ana, club.general, body), idOf)
    return { ...club, ...callsOf(club), post }
  })

  it.effect("is notified of comments on it, by its title or its space's name, and not of replies to them", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, own, post, token } = yield* posted
      const [titled, bare] = [yield* post({ title: "Ensaio", body: "A" }), yield* post({ body: "B" })]
      const parent_id = idOf(yield* comment(bia, titled, "Vou"))
      yield* comment({ token }, titled, { body: "Eu também", parent_id })
      yield* comment({ token }, bare, "Oi")
      const { json } = yield* own(ana)
      assert.deepStrictEqual(listed(json, "kind", "title", "excerpt", "target.post_id"), [
        ["reply", "General", "Oi", bare],
        ["reply", "Ensaio", "Vou", titled]
      ])
      assert.deepStrictEqual(listed((yield* own(bia)).json, "kind", "title"), [["reply", "Ensaio"]])
    }))

  it.effect("takes its notifications away with it, and so does the staff that hides it", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, kinds, patch, post, remove, token } = yield* posted
      const [removed, hidden] = [yield* post({ body: "A" }), yield* post({ body: "B" })]
      for (const id of [removed, hidden]) yield* comment(bia, id, "C")
      yield* remove(ana, removed)
      assert.deepStrictEqual(yield* kinds(ana), ["reply"])
      yield* patch({ token }, hidden, { hidden: true })
      assert.deepStrictEqual(yield* kinds(ana), [])
    }))

  it.effect("leaves no title with others when they are removed", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, kinds, path, post, token } = yield* posted
      const id = yield* post({ title: "Ensaio", body: "A" })
      const parent_id = idOf(yield* comment(bia, id, "Vou"))
      yield* comment({ token }, id, { body: "B", parent_id })
      assert.deepStrictEqual(yield* kinds(bia), ["reply"])
      yield* send("DELETE", `${path}/students/${ana.id}`, { token })
      assert.deepStrictEqual(yield* kinds(bia), [])
    }))
})

layer(AppLayer)("A mention by the staff on a post", (it) => {
  it.effect("reaches only students who see its space", () =>
    Effect.gen(function*() {
      const { addSpace, ana, bia, comment, community, post, ...club } = yield* openCommunity
      const { kinds } = callsOf(club)
      const space = yield* addSpace({ name: "Turma", access: "delivery" })
      const id = idOf(yield* post(club, space, "A"))
      const delivery = yield* send("POST", `${club.path}/deliveries`, {
        token: club.token,
        body: { name: "Com comunidade", items: [{ kind: "community", id: community }] }
      })
      yield* makeEnrollment(club, ana, Object(at(delivery.json, "data")))
      yield* comment(club, id, { body: "B", mentions: [ana.id, bia.id] })
      assert.deepStrictEqual([yield* kinds(ana), yield* kinds(bia)], [["mention"], []])
    }))
})
