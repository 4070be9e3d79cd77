import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AssistantComments } from "../../../src/conversation/comments/AssistantComments.ts"
import { CommentId } from "../../../src/conversation/comments/Comment.ts"
import { AppLayer, at, listAt } from "../../harness/App.ts"
import { countComments, deleteLesson, idOf, listed, openCommentsClub, unknownId } from "./CommentsClub.ts"

const asked = Effect.gen(function*() {
  const club = yield* openCommentsClub
  const assistant = yield* AssistantComments
  const id = CommentId.make(idOf(yield* club.comment(club.ana, "Por quê?")))
  return {
    ...club,
    asked: id,
    find: (of: string) => assistant.find(club.id, CommentId.make(of)),
    replyTo: (of: string, body = "Porque sim.") => assistant.reply(club.id, CommentId.make(of), { body })
  }
})

layer(AppLayer)("The assistant", (it) => {
  it.effect("is told what was asked, where and by whom", () =>
    Effect.gen(function*() {
      const { ana, asked: id, course, find, lesson } = yield* asked
      assert.deepStrictEqual<unknown>(yield* find(id), {
        body: "Por quê?",
        thread_id: id,
        author: "student",
        student_id: ana.id,
        lesson: { id: lesson.id, title: lesson.title, course_id: course.id },
        unavailable: false,
        answered: false
      })
    }))

  it.effect("finds no comment of another club, nor of a lesson that was deleted", () =>
    Effect.gen(function*() {
      const club = yield* asked
      const foreign = yield* asked
      yield* deleteLesson(club)
      for (const id of [club.asked, foreign.asked, unknownId]) {
        assert.strictEqual((yield* Effect.flip(club.find(id)))._tag, "NotFound")
      }
    }))

  it.effect.each(["hidden", "spam", "pending"])(
    "finds a comment that is %s unavailable, and does not answer it",
    (mark) =>
      Effect.gen(function*() {
        const { asked: id, find, moderate, replyTo, ...club } = yield* asked
        yield* moderate(id, { [mark]: true })
        assert.isTrue((yield* find(id)).unavailable)
        assert.isTrue(Option.isNone(yield* replyTo(id)))
        assert.strictEqual(yield* countComments(club), 1)
      })
  )

  it.effect("finds a deleted comment unavailable, and does not answer it", () =>
    Effect.gen(function*() {
      const { ana, asked: id, find, remove, replyTo } = yield* asked
      yield* remove(ana, id)
      assert.isTrue((yield* find(id)).unavailable)
      assert.isTrue(Option.isNone(yield* replyTo(id)))
    }))

  it.effect("finds a comment answered that was marked, or that the staff has replied to, and does not answer it", () =>
    Effect.gen(function*() {
      const marked = yield* asked
      yield* marked.moderate(marked.asked, { answered: true })
      const replied = yield* asked
      yield* replied.answer(replied.asked, "Assim")
      const sql = yield* SqlClient.SqlClient
      yield* sql`update comments set answered = false where id = ${replied.asked}`
      for (const club of [marked, replied]) {
        assert.isTrue((yield* club.find(club.asked)).answered)
        assert.isTrue(Option.isNone(yield* club.replyTo(club.asked)))
      }
    }))

  it.effect("finds a later question in an answered thread unanswered", () =>
    Effect.gen(function*() {
      const { answer, asked: id, bia, comment, find, replyTo } = yield* asked
      yield* answer(id, "Assim")
      const later = idOf(yield* comment(bia, { body: "E agora?", parent_id: id }))
      assert.isFalse((yield* find(later)).answered)
      const reply = Option.getOrThrow(yield* replyTo(later))
      assert.strictEqual(reply.parent_id, id)
      assert.isTrue((yield* find(later)).answered)
    }))

  it.effect("replies below the comment, in its name, and marks it as answered", () =>
    Effect.gen(function*() {
      const { ana, asked: id, comments, replyTo } = yield* asked
      const reply = Option.getOrThrow(yield* replyTo(id))
      assert.deepStrictEqual(
        [reply.body, reply.parent_id, reply.author.role, reply.author.anonymized, reply.mine, reply.replies],
        ["Porque sim.", id, "assistant", false, false, []]
      )
      assert.isNotEmpty(reply.author.name)
      const { json } = yield* comments(ana)
      assert.isTrue(at(json, "data", 0, "answered"))
      assert.deepStrictEqual(listAt(json, "data", 0, "replies").map((item) => at(item, "author", "id")), [
        reply.author.id
      ])
    }))

  it.effect("replies once, of twenty at the same time", () =>
    Effect.gen(function*() {
      const { asked: id, replyTo, ...club } = yield* asked
      const written = yield* Effect.all(Array.from({ length: 20 }, () => replyTo(id)), { concurrency: "unbounded" })
      assert.lengthOf(written.filter(Option.isSome), 1)
      assert.strictEqual(yield* countComments(club), 2)
    }))

  it.effect("replies once in a thread, to however many of its comments at the same time", () =>
    Effect.gen(function*() {
      const { answers, asked: id, bia, comment, find, replyTo } = yield* asked
      const followUps = yield* Effect.forEach(["a", "b", "c"], (body) =>
        Effect.map(comment(bia, { body, parent_id: id }), idOf))
      const written = yield* Effect.all(
        [id, ...followUps].map((of) =>
          replyTo(of)
        ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(written.filter(Option.isSome), 1)
      assert.lengthOf(listed(yield* answers(id), "id"), 4)
      for (const of of followUps) assert.isTrue((yield* find(of)).answered)
    }))

  it.effect("replies again where its reply was deleted", () =>
    Effect.gen(function*() {
      const { asked: id, bury, find, replyTo } = yield* asked
      yield* bury(Option.getOrThrow(yield* replyTo(id)).id)
      assert.isFalse((yield* find(id)).answered)
      assert.isTrue(Option.isSome(yield* replyTo(id)))
      assert.isTrue((yield* find(id)).answered)
    }))

  it.effect("replies again where the staff says that the comment is not answered, whoever had answered it", () =>
    Effect.gen(function*() {
      const { answer, asked: id, find, moderate, replyTo } = yield* asked
      yield* answer(id, "Assim")
      yield* moderate(id, { answered: false })
      assert.isFalse((yield* find(id)).answered)
      assert.isTrue(Option.isSome(yield* replyTo(id)))
      assert.isTrue(Option.isNone(yield* replyTo(id)))
      yield* moderate(id, { answered: false })
      assert.isTrue(Option.isSome(yield* replyTo(id)))
    }))
})
