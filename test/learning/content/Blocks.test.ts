import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, codeOf, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeBlock, makeCourse, makeLesson, makeMedia, makeModule } from "../../harness/Makers.ts"
import { idOf, listed, openContent, unknownId } from "./OpenContent.ts"

/** A club with a lesson. */
const openLesson = Effect.gen(function*() {
  const club = yield* openContent()
  const lesson = yield* makeLesson(club, yield* makeModule(club, yield* makeCourse(club)))
  return { ...club, lesson, blocks: `/lessons/${lesson.id}/blocks` }
})

const naming = (...all: ReadonlyArray<{ readonly id: string }>) => all.map(({ id }) => `![](media:${id})`).join("\n")

const options = [{ text: "Seis", correct: true }, { text: "Cinco", correct: false }]
const question = { text: "Quantas cordas?", options }
const quiz = { kind: "quiz", questions: [question], pass_percent: 70 }

layer(AppLayer)("A block", (it) => {
  it.effect("has what its kind has, and null for the rest", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const video = yield* makeMedia(club, { kind: "video", provider: "youtube" })
      const file = yield* makeMedia(club)
      const none = { title: null, body: null, media_id: null, questions: null, pass_percent: null }
      const sent = [
        { kind: "text", title: "Postura", body: "Sente-se." },
        { kind: "assignment", body: "Grave-se." },
        { kind: "video", media_id: video.id },
        { kind: "file", media_id: file.id.toUpperCase() }
      ]
      for (const [index, body] of sent.entries()) {
        const made = yield* club.create(club.blocks, body)
        assert.strictEqual(made.status, 201, made.text)
        const { created_at, id, ...rest } = Object(at(made.json, "data"))
        assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
        const expected = body.kind === "file" ? { ...body, media_id: file.id } : body
        assert.deepStrictEqual(rest, { ...none, ...expected, lesson_id: club.lesson.id, position: index + 1 })
        assert.strictEqual((yield* club.read(`/blocks/${id}`)).text, made.text)
      }
      assert.deepStrictEqual(listed(yield* club.read(club.blocks), "kind"), sent.map(({ kind }) => kind))
    }))

  it.effect.each([
    ["a kind that there is not", { kind: "poem", body: "A" }],
    ["no kind", { body: "A" }],
    ["text without a body", { kind: "text" }],
    ["text with an empty body", { kind: "text", body: "" }],
    ["a body that is too long", { kind: "assignment", body: "a".repeat(100_001) }],
    ["text with media", { kind: "text", body: "A", media_id: unknownId }],
    ["a video without media", { kind: "video" }],
    ["a video with a body", { kind: "video", media_id: unknownId, body: "A" }],
    ["an empty title", { kind: "text", body: "A", title: "" }],
    ["a quiz without questions", { ...quiz, questions: [] }],
    ["a quiz with 101 questions", { ...quiz, questions: Array.from({ length: 101 }, () => question) }],
    ["a quiz without a percentage", { kind: "quiz", questions: [question] }],
    ["0 percent", { ...quiz, pass_percent: 0 }],
    ["101 percent", { ...quiz, pass_percent: 101 }],
    ["one option", { ...quiz, questions: [{ text: "A", options: [{ text: "A", correct: true }] }] }],
    ["11 options", { ...quiz, questions: [{ text: "A", options: Array.from({ length: 11 }, () => options[0]) }] }],
    ["no correct option", { ...quiz, questions: [{ text: "A", options: [options[1], options[1]] }] }],
    ["an option that says not whether it is correct", {
      ...quiz,
      questions: [{ text: "A", options: [...options, { text: "A" }] }]
    }],
    ["a question without a text", { ...quiz, questions: [{ text: "", options }] }],
    ["a question with more", { ...quiz, questions: [{ ...question, points: 1 }] }]
  ] as const)("is refused with %s", ([, body]) =>
    Effect.gen(function*() {
      const club = yield* openLesson
      assert.deepStrictEqual(outcome(yield* club.create(club.blocks, body)), [422, "validation_failed"])
      assert.deepStrictEqual(listed(yield* club.read(club.blocks), "id"), [])
    }))

  it.effect("shows only ready media of the club's library, and as a video only a video", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const file = yield* makeMedia(club)
      const held = yield* makeBlock(club, club.lesson, { kind: "video", media_id: file.id })
      const refused = [
        { kind: "file", media_id: unknownId },
        { kind: "file", media_id: (yield* makeMedia(yield* foundClub())).id },
        { kind: "file", media_id: (yield* makeMedia(club, { status: "uploading" })).id },
        { kind: "video", media_id: file.id }
      ]
      for (const body of refused) {
        assert.deepStrictEqual(outcome(yield* club.create(club.blocks, body)), [422, "media_unknown"])
        if (body.kind === "file" && body.media_id === file.id) continue
        const patched = yield* club.patch(`/blocks/${held.id}`, { media_id: body.media_id })
        assert.deepStrictEqual(outcome(patched), [422, "media_unknown"])
      }
    }))

  it.effect("lets go of its media when it is deleted, alone or with its lesson", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const [first, second] = [yield* makeMedia(club), yield* makeMedia(club)]
      const block = yield* club.create(club.blocks, { kind: "file", media_id: first.id })
      yield* club.create(club.blocks, { kind: "file", media_id: second.id })
      const removed = (id: string) => Effect.map(club.remove(`/media/${id}`), ({ status }) => status)
      assert.strictEqual(yield* removed(first.id), 409)
      assert.strictEqual((yield* club.remove(`/blocks/${idOf(block)}`)).status, 204)
      assert.strictEqual(yield* removed(first.id), 204)
      yield* club.remove(`/lessons/${club.lesson.id}`)
      assert.strictEqual(yield* removed(second.id), 204)
    }))

  it.effect("names images of the library in its text, and nothing else", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const image = yield* makeMedia(club, { kind: "image" })
      const block = yield* club.create(club.blocks, { kind: "text", body: `![A](media:${image.id.toUpperCase()})` })
      assert.strictEqual(block.status, 201, block.text)
      const others = [
        yield* makeMedia(club),
        yield* makeMedia(club, { kind: "image", status: "uploading" }),
        yield* makeMedia(yield* foundClub(), { kind: "image" }),
        { id: unknownId }
      ]
      for (const { id } of others) {
        const body = `Antes ![](media:${id})`
        for (
          const answer of [
            yield* club.create(club.blocks, { kind: "assignment", body }),
            yield* club.patch(`/blocks/${idOf(block)}`, { body })
          ]
        ) assert.deepStrictEqual(outcome(answer), [422, "media_unknown"])
      }
    }))

  it.effect("keeps an image while its text names it", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const [first, second, third] = [
        yield* makeMedia(club, { kind: "image" }),
        yield* makeMedia(club, { kind: "image" }),
        yield* makeMedia(club, { kind: "image" })
      ]
      const block = yield* club.create(club.blocks, { kind: "text", body: naming(first, second) })
      yield* club.create(club.blocks, { kind: "text", body: naming(third) })
      const removed = (id: string) => Effect.map(club.remove(`/media/${id}`), ({ status }) => status)
      assert.deepStrictEqual([yield* removed(first.id), yield* removed(third.id)], [409, 409])
      yield* club.patch(`/blocks/${idOf(block)}`, { title: "A" })
      assert.strictEqual(yield* removed(first.id), 409)
      yield* club.patch(`/blocks/${idOf(block)}`, { body: naming(second) })
      assert.deepStrictEqual([yield* removed(first.id), yield* removed(second.id)], [204, 409])
      yield* club.remove(`/blocks/${idOf(block)}`)
      yield* club.remove(`/lessons/${club.lesson.id}`)
      assert.deepStrictEqual([yield* removed(second.id), yield* removed(third.id)], [204, 204])
    }))

  it.effect("names at most 100 different images, and keeps more that it had before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* openLesson
      const images = yield* Effect.replicateEffect(makeMedia(club, { kind: "image" }), 101)
      const most = naming(...images.slice(1))
      const full = yield* club.create(club.blocks, { kind: "text", body: `${most}\n${most}` })
      assert.strictEqual(full.status, 201, full.text)
      const block = yield* makeBlock(club, club.lesson, { kind: "text", body: naming(...images) })
      yield* sql`
        insert into block_images (club_id, block_id, media_id)
        select club_id, ${block.id}::uuid, id from media where club_id = ${club.id}`
      const path = `/blocks/${block.id}`
      for (const body of [naming(...images), naming(...images) + " ".repeat(10_000)]) {
        for (
          const answer of [
            yield* club.create(club.blocks, { kind: "assignment", body }),
            yield* club.patch(`/blocks/${idOf(full)}`, { title: "A", body })
          ]
        ) {
          assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
          assert.strictEqual(at(answer.json, "error", "message"), "body must name at most 100 different images")
        }
      }
      for (const change of [{ title: "B" }, { body: `Antes ${naming(...images)}` }]) {
        const changed = yield* club.patch(path, change)
        assert.deepInclude(at(changed.json, "data"), change)
        assert.strictEqual((yield* club.read(path)).text, changed.text)
      }
      assert.deepStrictEqual(outcome(yield* club.remove(`/media/${images[0]?.id}`)), [409, "media_in_use"])
      assert.strictEqual((yield* club.patch(path, { body: most })).status, 200)
      assert.strictEqual((yield* club.remove(`/media/${images[0]?.id}`)).status, 204)
    }))

  it.effect("is changed in what its kind has, and in nothing else", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const made = yield* club.create(club.blocks, { kind: "text", title: "A", body: "A" })
      const path = `/blocks/${idOf(made)}`
      const before = Object(at(made.json, "data"))
      const changed = yield* club.patch(path, { body: "B" })
      assert.deepStrictEqual(at(changed.json, "data"), { ...before, body: "B" })
      const cleared = yield* club.patch(path, { title: null })
      assert.deepStrictEqual(at(cleared.json, "data"), { ...before, body: "B", title: null })
      assert.strictEqual((yield* club.patch(path, {})).text, cleared.text)
      for (const body of [{ media_id: unknownId }, { questions: [question] }, { pass_percent: 50 }, { kind: "text" }]) {
        const answer = yield* club.patch(path, body)
        assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
        assert.match(
          String(at(answer.json, "error", "message")),
          new RegExp(`^\`?${Object.keys(body)[0]}\`? is not a (?:known )?field`)
        )
      }
      assert.strictEqual((yield* club.read(path)).text, cleared.text)
    }))

  it.effect("is read by every member and written by the content staff", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const made = yield* club.create(club.blocks, { kind: "text", body: "A" })
      for (const role of ["editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(club, role)
        assert.strictEqual((yield* send("GET", `${club.path}/blocks/${idOf(made)}`, { token })).text, made.text)
        const body = { kind: "text", body: "B" }
        const { status } = yield* send("POST", `${club.path}${club.blocks}`, { token, body })
        assert.strictEqual(status, role === "editor" ? 201 : 403)
      }
    }))

  it.effect("answers as unknown where it, or its lesson, is another club's", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const foreign = yield* openLesson
      const block = yield* makeBlock(foreign, foreign.lesson)
      for (const id of [block.id, unknownId]) {
        assert.deepStrictEqual(outcome(yield* club.read(`/blocks/${id}`)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.patch(`/blocks/${id}`, { body: "A" })), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.remove(`/blocks/${id}`)), [404, "not_found"])
      }
      for (const id of [foreign.lesson.id, unknownId]) {
        const path = `/lessons/${id}/blocks`
        assert.deepStrictEqual(outcome(yield* club.read(path)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.create(path, { kind: "text", body: "A" })), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.put(`${path}/order`, { ids: [] })), [404, "not_found"])
      }
    }))
})

layer(AppLayer)("The blocks of a lesson", (it) => {
  it.effect("take an order that names each of the lesson exactly once", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const a = idOf(yield* club.create(club.blocks, { kind: "text", body: "A" }))
      const b = idOf(yield* club.create(club.blocks, { kind: "text", body: "B" }))
      const other = yield* openLesson
      const elsewhere = yield* makeBlock(other, other.lesson)
      for (const ids of [[a], [a, b, a], [a, b, elsewhere.id], [a, elsewhere.id]]) {
        assert.deepStrictEqual(outcome(yield* club.put(`${club.blocks}/order`, { ids })), [422, "order_invalid"])
      }
      const ordered = yield* club.put(`${club.blocks}/order`, { ids: [b, a] })
      assert.deepStrictEqual(listed(ordered, "body"), ["B", "A"])
      assert.strictEqual((yield* club.read(club.blocks)).text, ordered.text)
    }))

  it.effect("get a place each, however many are added at once, and are at most 50", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      yield* Effect.forEach(
        Array.from({ length: 46 }),
        (_, index) => makeBlock(club, club.lesson, undefined, { position: index + 1 })
      )
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => club.create(club.blocks, { kind: "text", body: "A" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 4)
      assert.include(answers.map(codeOf), "block_limit_reached")
      const positions = listed(yield* club.read(club.blocks), "position")
      assert.deepStrictEqual(positions, Array.from({ length: 50 }, (_, index) => index + 1))
    }))

  it.effect("have at most 512 KiB of text and questions together, however many grow at once", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const refused = [409, "block_limit_reached"]
      const long = (bytes: number) => ({ kind: "text" as const, body: "ã".repeat(bytes / 2) })
      const full = Array.from({ length: 3 }, () => makeBlock(club, club.lesson, long(160_000)))
      const [first] = yield* Effect.all(full)
      // Room for 44,288 more bytes.
      assert.deepStrictEqual(outcome(yield* club.create(club.blocks, long(44_290))), refused)
      const small = yield* Effect.replicateEffect(makeBlock(club, club.lesson, long(2)), 4)
      const grown = yield* Effect.all(
        small.map(({ id }) => club.patch(`/blocks/${id}`, { body: "ã".repeat(10_000) })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(grown.map(({ status }) => status).toSorted(), [200, 200, 409, 409])
      const questions = Array.from({ length: 10 }, () => ({ ...question, text: "x".repeat(1000) }))
      assert.deepStrictEqual(outcome(yield* club.create(club.blocks, { ...quiz, questions })), refused)
      assert.strictEqual((yield* club.patch(`/blocks/${first?.id}`, { body: "Short" })).status, 200)
      assert.strictEqual((yield* club.create(club.blocks, { ...quiz, questions })).status, 201)
    }))

  it.effect("can be shortened where they have more already, and changed otherwise", () =>
    Effect.gen(function*() {
      const club = yield* openLesson
      const full = { kind: "text" as const, body: "🎸".repeat(100_000) }
      const [first] = yield* Effect.replicateEffect(makeBlock(club, club.lesson, full), 4)
      const path = `/blocks/${first?.id}`
      assert.strictEqual((yield* club.patch(path, { title: "Longest" })).status, 200)
      assert.strictEqual((yield* club.patch(path, { body: "🎸".repeat(99_999) })).status, 200)
      assert.deepStrictEqual(outcome(yield* club.patch(path, { body: full.body })), [409, "block_limit_reached"])
    }))
})
