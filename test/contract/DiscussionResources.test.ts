import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { idOf, makeImage, openCommentsClub } from "../conversation/comments/CommentsClub.ts"
import { openCommunity } from "../conversation/community/OpenCommunity.ts"
import { AppLayer, at, send } from "../harness/App.ts"
import { assertData, assertEach, assertPage, assertPages } from "./Answers.ts"
import { Author, Comment, ShownMedia } from "./Records.ts"
import { anyOf, boolean, integer, listOf, nullOr, record, string, timestamp, uuid } from "./Shape.ts"

// Contract, Comment: each of its fields and no other, in the answer of every route; and http-surface, Community.

const Post = record({
  id: uuid,
  space_id: uuid,
  title: nullOr(string),
  body: string,
  author: Author,
  created_at: timestamp,
  edited_at: nullOr(timestamp),
  hidden: boolean,
  pinned: boolean,
  deleted: boolean,
  mine: boolean,
  mentions: anyOf(record({ id: uuid, name: string, role: string })),
  comments_count: integer
})

const CommentInPlace = record({
  comment: Comment,
  thread: nullOr(Comment),
  lesson_public_id: nullOr(string),
  post_id: nullOr(uuid)
})

layer(AppLayer)("The fields of the contract", (it) => {
  it.effect("are those of Comment, with its replies, reactions, mentions and images", () =>
    Effect.gen(function*() {
      const { ana, bia, ...club } = yield* openCommentsClub
      const media_ids = [yield* makeImage(club, ana)]
      const said = yield* club.comment(ana, { body: "Assim?", mentions: [bia.id], media_ids })
      assertData(said, Comment)
      const id = idOf(said)
      assertData(yield* club.comment(bia, { body: "Sim", parent_id: id }), Comment)
      yield* club.react(bia, id, "👍")
      yield* club.save(bia, id)
      const all = yield* club.comments(bia)
      assertPage(all, listOf(Comment))
      const comment = at(all.json, "data", 0)
      assert.deepStrictEqual(at(comment, "reactions"), [{ reaction: "👍", count: 1, mine: true }])
      assert.deepStrictEqual(at(comment, "mentions"), [{ id: bia.id, name: bia.name, role: "student" }])
      assert.deepStrictEqual(ShownMedia(at(comment, "images", 0)), [])
      assert.deepStrictEqual([at(comment, "replies_count"), at(comment, "saved")], [1, true])
    }))

  it.effect("are those of Comment to students, in every list and after every change", () =>
    Effect.gen(function*() {
      const { ana, lesson, path, ...club } = yield* openCommentsClub
      const id = idOf(yield* club.comment(ana, "Assim?"))
      yield* club.comment(ana, { body: "Ou assim?", parent_id: id })
      yield* club.save(ana, id)
      const one = `${path}/classroom/comments`
      yield* assertPages(ana.token, listOf(Comment), [
        ["GET", `${path}/classroom/lessons/${lesson.public_id}/comments`],
        ["GET", `${one}/${id}/replies`],
        ["GET", `${one}/saved`]
      ])
      yield* assertEach(ana.token, CommentInPlace, [["GET", `${one}/${id}`]])
      yield* assertEach(ana.token, Comment, [["PATCH", `${one}/${id}`, { body: "Ou assado?" }]])
      assert.strictEqual((yield* club.remove(ana, id)).status, 204)
      yield* assertPages(ana.token, listOf(Comment), [[
        "GET",
        `${path}/classroom/lessons/${lesson.public_id}/comments`
      ]])
    }))

  it.effect("are those of Comment to the staff, in every list and after every change, deleted or not", () =>
    Effect.gen(function*() {
      const { ana, path, token, ...club } = yield* openCommentsClub
      const id = idOf(yield* club.comment(ana, "Assim?"))
      const one = `${path}/comments/${id}`
      yield* assertEach(token, Comment, [
        ["POST", `${one}/replies`, { body: "Sim" }],
        ["GET", one],
        ["PATCH", one, { pinned: true, hidden: true, answered: false, pending: true, spam: true }],
        ["PATCH", one, { hidden: false }]
      ])
      yield* assertPages(token, listOf(Comment), [
        ["GET", `${path}/comments`],
        ["GET", `${path}/comments?state=pending`],
        ["GET", `${one}/replies`]
      ])
      yield* club.bury(id)
      yield* assertEach(token, Comment, [["GET", one]])
    }))

  it.effect("are those of Comment on posts, to students and staff", () =>
    Effect.gen(function*() {
      const { ana, general, path, token, ...community } = yield* openCommunity
      const post = idOf(yield* community.post(ana, general, "Bom dia"))
      const comments = `${path}/community/posts/${post}/comments`
      for (const person of [ana.token, token]) {
        yield* assertEach(person, Comment, [["POST", comments, { body: "Boa noite" }]])
        yield* assertPages(person, listOf(Comment), [["GET", comments]])
      }
    }))
})

layer(AppLayer)("The fields beside the contract", (it) => {
  it.effect("are those of a post, to students and staff, deleted or not", () =>
    Effect.gen(function*() {
      const { ana, general, path, token, ...community } = yield* openCommunity
      const posts = `${path}/community/spaces/${general}/posts`
      const made = yield* send("POST", posts, { token: ana.token, body: { title: "Oi", body: "Bom dia" } })
      assertData(made, Post)
      const one = `${path}/community/posts/${idOf(made)}`
      for (const person of [ana.token, token]) {
        yield* assertEach(person, Post, [["GET", one]])
        yield* assertPages(person, listOf(Post), [["GET", posts]])
      }
      yield* assertEach(ana.token, Post, [["PATCH", one, { title: null }]])
      yield* assertEach(token, Post, [
        ["PATCH", one, { hidden: true, pinned: true }],
        ["POST", posts, { body: "Olá" }]
      ])
      yield* community.comment({ token }, idOf(made), "Até logo")
      yield* community.remove(ana, idOf(made))
      yield* assertEach(ana.token, Post, [["GET", one]])
    }))
})
