import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { MaterialChanges } from "../../../../src/assistant/material/changes/MaterialChanges.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import type { CourseId } from "../../../../src/learning/content/Course.ts"
import type { ModuleId } from "../../../../src/learning/content/Module.ts"
import {
  makeBlock,
  makeClub,
  makeEnrollment,
  makeLesson,
  makeLiveLesson,
  makeStudent
} from "../../../harness/Makers.ts"
import { indexAll, makeMedia, MaterialLayer, searchIn, transcribe } from "../MaterialLayer.ts"

type Given = Parameters<typeof makeLesson>[2]

/** A lesson with this text, already read. */
const say = Effect.fnUntraced(function*(
  club: { readonly id: ClubId },
  module: { readonly id: ModuleId; readonly course_id: CourseId },
  body: string,
  given: Given = {}
) {
  const lesson = yield* makeLesson(club, module, given)
  const block = yield* makeBlock(club, lesson, { kind: "text", body })
  yield* MaterialChanges.use((changes) => changes.lessons(club.id, [lesson.id]))
  yield* indexAll
  return { ...lesson, block }
})

const opened = Effect.gen(function*() {
  const club = yield* makeClub()
  return { club, ...(yield* makeLiveLesson(club)) }
})

const bodies = Effect.map((passages: ReadonlyArray<{ readonly body: string }>) => passages.map(({ body }) => body))

layer(MaterialLayer)("Material", (it) => {
  it.effect("is found with where it is from, and which words of the question it has", () =>
    Effect.gen(function*() {
      const { club, module } = yield* opened
      const lesson = yield* say(club, module, "A respiração lenta acalma.", { title: "Respirar" })
      const [passage, ...others] = yield* searchIn(club, lesson, "A respiração acalma o coração?")
      assert.deepStrictEqual(others, [])
      assert.strictEqual(passage?.body, "A respiração lenta acalma.")
      assert.deepStrictEqual(passage?.words.map(({ forms }) => forms), [["respiracao"], ["acalma"], []])
      assert.deepStrictEqual(passage?.words.map(({ weight }) => weight === 1), [false, false, true])
      assert.deepStrictEqual(passage?.source, {
        source_id: lesson.block.id,
        source_kind: "lesson",
        source_title: "Respirar",
        media_id: null,
        lesson_id: lesson.id,
        page_from: null,
        page_to: null
      })
    }))

  it.effect.each([
    ["respiracao", "A respiração lenta."],
    ["RESPIRAÇÃO", "a respiracao lenta."],
    ["Quais variações?", "Uma variação simples."],
    ["quais variacoes", "Uma variação simples."],
    ["limão", "Dois limões."],
    ["\\' | !(strings) & :*", "Three strings."],
    ["breathing", "Breathe slowly."],
    ["chord?", "Three CHORDS."],
    ["guarda-chuva", "O guarda-chuva azul."]
  ] as const)("is found for %j in %j", ([question, body]) =>
    Effect.gen(function*() {
      const { club, module } = yield* opened
      assert.deepStrictEqual(yield* bodies(searchIn(club, yield* say(club, module, body), question)), [body])
    }))

  it.effect.each([
    "",
    "?!",
    "'!&|:*",
    "a' | b:* & !(c",
    "\\'); drop table students; --",
    "não é o que você são",
    "the of and"
  ])(
    "is not found for %j, which asks about nothing",
    (question) =>
      Effect.gen(function*() {
        const { club, module } = yield* opened
        const lesson = yield* say(club, module, "Não é o que você são. The string of an instrument and the rest.")
        assert.deepStrictEqual(yield* searchIn(club, lesson, question), [])
      })
  )

  it.effect.prop("takes any question", [Schema.String], ([question]) =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      assert.deepStrictEqual(yield* searchIn(club, lesson, question), [])
    }), { arbitrary: { runs: 50 } })

  it.effect("that has more of what is asked comes first, then that of the lesson", () =>
    Effect.gen(function*() {
      const { club, module } = yield* opened
      yield* say(club, module, "Strings of nylon.")
      const here = yield* say(club, module, "Strings of silk.")
      yield* say(club, module, "Strings of steel are bright.")
      const found = yield* bodies(searchIn(club, here, "Are strings bright?"))
      assert.deepStrictEqual(found.slice(0, 2), ["Strings of steel are bright.", "Strings of silk."])
      assert.lengthOf(yield* searchIn(club, here, "Are strings bright?", { limit: 1 }), 1)
    }))

  it.effect("of lessons that are not live, or deleted, is not found", () =>
    Effect.gen(function*() {
      const { club, lesson, module } = yield* opened
      const now = yield* DateTime.now
      yield* say(club, module, "Strings in a draft.", { published_at: null })
      yield* say(club, module, "Strings in a while.", { published_at: DateTime.addDuration(now, Duration.days(1)) })
      const shown = yield* say(club, module, "Strings by now.")
      assert.deepStrictEqual(yield* bodies(searchIn(club, lesson, "strings")), ["Strings by now."])
      const sql = yield* SqlClient.SqlClient
      yield* sql`update lessons set deleted_at = created_at where id = ${shown.id}`
      assert.deepStrictEqual(yield* searchIn(club, lesson, "strings"), [])
    }))

  it.effect.each(["modules", "courses"])("of deleted %s is not found", (table) =>
    Effect.gen(function*() {
      const { club, module } = yield* opened
      const lesson = yield* say(club, module, "Strings.")
      const sql = yield* SqlClient.SqlClient
      yield* sql`update ${sql(table)} set deleted_at = created_at where club_id = ${club.id}`
      assert.deepStrictEqual(yield* searchIn(club, lesson, "strings"), [])
    }))

  it.effect("of a removed file is not found", () =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      const media = yield* makeMedia(club)
      yield* transcribe(club, media, "Strings.")
      yield* makeBlock(club, lesson, { kind: "video", media_id: media.id })
      yield* MaterialChanges.use((changes) => changes.media(club.id, media.id))
      yield* indexAll
      assert.lengthOf(yield* searchIn(club, lesson, "strings"), 1)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update media set removed_at = created_at where id = ${media.id}`
      assert.deepStrictEqual(yield* searchIn(club, lesson, "strings"), [])
    }))

  it.effect("of other courses and other clubs is not found", () =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      const elsewhere = yield* makeLiveLesson(club)
      yield* say(club, elsewhere.module, "Strings.")
      const other = yield* opened
      yield* say(other.club, other.module, "Strings.")
      assert.deepStrictEqual(yield* searchIn(club, lesson, "strings"), [])
      assert.deepStrictEqual(yield* searchIn(club, other.lesson, "strings"), [])
      assert.deepStrictEqual(yield* searchIn(other.club, elsewhere.lesson, "strings"), [])
    }))

  it.effect("is found by a student while they have the course", () =>
    Effect.gen(function*() {
      const { club, delivery, module } = yield* opened
      const lesson = yield* say(club, module, "Strings.")
      const { id: student_id } = yield* makeStudent(club)
      assert.deepStrictEqual(yield* searchIn(club, lesson, "strings", { student_id }), [])
      const { id } = yield* makeEnrollment(club, { id: student_id }, delivery)
      assert.lengthOf(yield* searchIn(club, lesson, "strings", { student_id }), 1)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update enrollments set revoked_at = starts_at, revoke_reason = 'manual' where id = ${id}`
      assert.deepStrictEqual(yield* searchIn(club, lesson, "strings", { student_id }), [])
    }))
})

layer(MaterialLayer)("Material of lessons that open later", (it) => {
  it.effect("is found by students for whom its lesson is open", () =>
    Effect.gen(function*() {
      const { club, delivery, module } = yield* opened
      const now = yield* DateTime.now
      const here = yield* say(club, module, "Respirar aqui.", { position: 1 })
      yield* say(club, module, "Respirar amanhã.", { position: 2, opens_after_days: 1 })
      yield* say(club, module, "Respirar ontem.", { position: 3, opens_at: DateTime.subtract(now, { days: 1 }) })
      const searched = Effect.fnUntraced(function*(days: number) {
        const student = yield* makeStudent(club)
        yield* makeEnrollment(club, student, delivery, { starts_at: DateTime.subtract(now, { days }) })
        return (yield* searchIn(club, here, "respirar", { student_id: student.id }).pipe(bodies)).toSorted()
      })
      assert.deepStrictEqual(yield* searched(0), ["Respirar aqui.", "Respirar ontem."])
      assert.deepStrictEqual(yield* searched(1), ["Respirar amanhã.", "Respirar aqui.", "Respirar ontem."])
    }))

  it.effect("is in answers for all students if it is open for all, or of the lesson that they are about", () =>
    Effect.gen(function*() {
      const { club, module } = yield* opened
      const later = DateTime.add(yield* DateTime.now, { days: 1 })
      const here = yield* say(club, module, "Respirar aqui.", { opens_after_days: 7 })
      yield* say(club, module, "Respirar depois.", { opens_after_days: 1 })
      yield* say(club, module, "Respirar amanhã.", { opens_at: later })
      const open = yield* say(club, module, "Respirar sempre.")
      const about = (lesson: typeof here) => searchIn(club, lesson, "respirar").pipe(bodies)
      assert.deepStrictEqual((yield* about(here)).toSorted(), ["Respirar aqui.", "Respirar sempre."])
      assert.deepStrictEqual(yield* about(open), ["Respirar sempre."])
    }))
})
