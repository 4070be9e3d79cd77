import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MaterialChanges } from "../../../src/assistant/material/changes/MaterialChanges.ts"
import { ClassroomSearch } from "../../../src/assistant/search/ClassroomSearch.ts"
import { makeBlock, makeClub, makeEnrollment, makeLesson, makeLiveLesson, makeStudent } from "../../harness/Makers.ts"
import { indexAll, makeMedia, MaterialLayer, transcribe } from "../material/MaterialLayer.ts"

/** A student with a course, whose lessons can be written. */
const room = Effect.gen(function*() {
  const club = yield* makeClub()
  const student = yield* makeStudent(club)
  const { delivery, ...live } = yield* makeLiveLesson(club)
  yield* makeEnrollment(club, student, delivery)
  const read = (lesson: { readonly id: typeof live.lesson.id }) =>
    Effect.andThen(MaterialChanges.use((changes) => changes.lessons(club.id, [lesson.id])), indexAll)
  const say = Effect.fnUntraced(function*(body: string, given: Parameters<typeof makeLesson>[2] = {}) {
    const lesson = yield* makeLesson(club, live.module, given)
    const block = yield* makeBlock(club, lesson, { kind: "text", body })
    yield* read(lesson)
    return { ...lesson, block_id: block.id }
  })
  const show = Effect.fnUntraced(function*(title: string, transcript: string) {
    const media = yield* makeMedia(club, { title })
    yield* transcribe(club, media, transcript)
    yield* makeBlock(club, live.lesson, { kind: "video", media_id: media.id })
    yield* read(live.lesson)
    return media
  })
  const search = (question: string, as = student) =>
    Effect.gen(function*() {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const { search } = yield* ClassroomSearch
      return yield* search({ club_id: club.id, student_id: as.id, now }, question)
    })
  return { club, student, delivery, ...live, say, show, search }
})

const titles = Effect.map((hits: ReadonlyArray<{ readonly title: string }>) => hits.map(({ title }) => title))

layer(ClassroomSearch.layer.pipe(Layer.provideMerge(MaterialLayer)))("A search of a student", (it) => {
  it.effect("finds a text with its lesson and course", () =>
    Effect.gen(function*() {
      const { course, say, search } = yield* room
      const lesson = yield* say("Respire fundo e solte o ar devagar.", { title: "Primeiros sons" })
      assert.deepStrictEqual(yield* search("respirando DEVAGAR"), [{
        kind: "lesson",
        course: { public_id: course.public_id, title: course.title },
        lesson: { public_id: lesson.public_id, title: "Primeiros sons" },
        title: "Primeiros sons",
        snippet: "Respire fundo e solte o ar devagar.",
        block_id: lesson.block_id,
        media_id: null,
        page_from: null,
        seconds: null
      }])
    }))

  it.effect("finds nothing of a lesson before it opens for the student", () =>
    Effect.gen(function*() {
      const { say, search } = yield* room
      yield* say("Respire fundo.", { title: "Respirar", opens_after_days: 1 })
      assert.isEmpty(yield* search("respire"))
      yield* TestClock.adjust(Duration.days(1))
      assert.deepStrictEqual(yield* titles(search("respire")), ["Respirar"])
    }))

  it.effect("finds titles first, whatever their case and accents, and each lesson's text once", () =>
    Effect.gen(function*() {
      const { say, search } = yield* room
      yield* say("Na respiração, conte até quatro.", { title: "Contar" })
      yield* say("A respiração e mais respiração.", { title: "A Respiração" })
      const hits = yield* search("respiracao")
      assert.deepStrictEqual(hits.map(({ title }) => title), ["A Respiração", "Contar"])
      assert.deepStrictEqual(hits.map(({ block_id }) => block_id === null), [true, false])
    }))

  it.effect("finds texts with all of the words, where the last word may be unfinished", () =>
    Effect.gen(function*() {
      const { say, search } = yield* room
      yield* say("Uma escala menor soa triste.", { title: "A" })
      yield* say("Uma escala maior soa alegre.", { title: "B" })
      assert.deepStrictEqual(yield* titles(search("escala trist")), ["A"])
      assert.deepStrictEqual((yield* titles(search("esca"))).toSorted(), ["A", "B"])
      assert.deepStrictEqual(yield* titles(search("escala zebra")), [])
    }))

  it.effect("takes a small word at the end, or one that no text can have, for no beginning of another", () =>
    Effect.gen(function*() {
      const { say, search } = yield* room
      yield* say("Uma escala soa triste.", { title: "A" })
      yield* say("Devagar, sem pressa.", { title: "B" })
      assert.deepStrictEqual(yield* titles(search("escala de")), ["A"])
      assert.deepStrictEqual(yield* titles(search(`escala ${"㌶".repeat(190)}`)), ["A"])
    }))

  it.effect("finds the second of a transcript that has times", () =>
    Effect.gen(function*() {
      const { lesson, search, show } = yield* room
      const { id: media_id } = yield* show(
        "Vídeo um",
        "[00:05] Bem-vindos\n[01:35] Afine a corda solta\n[02:10] Até logo"
      )
      const [hit] = yield* search("corda")
      assert.deepInclude(hit, { kind: "transcript", title: "Vídeo um", media_id, seconds: 95, page_from: null })
      assert.isNull(hit?.block_id)
      assert.strictEqual(hit?.lesson.public_id, lesson.public_id)
    }))

  it.effect("finds the page of a document", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, lesson, search, show } = yield* room
      yield* show("Apostila", "O metrônomo marca o tempo.")
      yield* sql`update material_chunks set page = 7 where club_id = ${club.id} and lesson_id = ${lesson.id}`
      const [hit] = yield* search("metronomo")
      assert.deepInclude(hit, { kind: "document", title: "Apostila", page_from: 7, seconds: null })
    }))

  it.effect("finds nothing that is not live", () =>
    Effect.gen(function*() {
      const { say, search } = yield* room
      const soon = DateTime.addDuration(yield* DateTime.now, Duration.hours(1))
      yield* say("Um segredo.", { title: "Segredo um", published_at: null })
      yield* say("Um segredo.", { title: "Segredo dois", published_at: soon })
      assert.deepStrictEqual(yield* titles(search("segredo")), [])
    }))

  it.effect("finds nothing without the course", () =>
    Effect.gen(function*() {
      const { club, delivery, say, search } = yield* room
      yield* say("O refrão.", { title: "Refrão" })
      const [stranger, former] = [yield* makeStudent(club), yield* makeStudent(club)]
      yield* makeEnrollment(club, former, delivery, { revoked_at: yield* DateTime.now, revoke_reason: "manual" })
      assert.lengthOf(yield* search("refrão"), 1)
      for (const student of [stranger, former]) assert.deepStrictEqual(yield* search("refrão", student), [])
    }))

  it.effect("takes any text", () =>
    Effect.gen(function*() {
      const { say, search } = yield* room
      yield* say("100% de ritmo.", { title: "100%_ritmo\\" })
      for (
        const question of ["%%", "__", "' | !(zz) & :*", "\\", "zz", "z y x w v u t s r q p o", "\u{1f3b8}\u{1f3b8}"]
      ) {
        assert.deepStrictEqual(yield* search(question), [], question)
      }
      assert.lengthOf(yield* search("100%_ritmo\\"), 1)
    }))

  it.effect("finds 20 places at most", () =>
    Effect.gen(function*() {
      const { club, module, search } = yield* room
      yield* Effect.forEach(Array.from({ length: 21 }), () => makeLesson(club, module, { title: "Escala" }))
      assert.lengthOf(yield* search("escala"), 20)
    }))
})
