import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { courseLessonLimit } from "../../../src/learning/content/Lesson.ts"
import { AppLayer, at, codeOf, foundClub, outcome } from "../../harness/App.ts"
import { makeBlock, makeCourse, makeLesson, makeModule } from "../../harness/Makers.ts"
import { idOf, listed, openContent, opensInOneWay, unknownId } from "./OpenContent.ts"

/** A club with a course of one module. */
const openModule = Effect.gen(function*() {
  const club = yield* openContent()
  const course = yield* makeCourse(club)
  const module = yield* makeModule(club, course)
  return { ...club, course, module, lessons: `/modules/${module.id}/lessons` }
})

/** How often a change has asked for a new reading of this lesson's material. */
const readings = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  return Number(at(yield* sql`select asked from material_queue where lesson_id = ${id}`, 0, "asked") ?? 0)
})

layer(AppLayer)("A lesson", (it) => {
  it.effect("is created as a draft, after the others, with a key of its own", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      yield* makeLesson(club, club.module, { position: 3 })
      const made = yield* club.create(club.lessons, { title: "O primeiro acorde" })
      assert.strictEqual(made.status, 201)
      const { created_at, id, public_id, ...rest } = Object(at(made.json, "data"))
      assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
      assert.match(public_id, /^[A-Za-z0-9]{12}$/)
      assert.deepStrictEqual(rest, {
        course_id: club.course.id,
        module_id: club.module.id,
        title: "O primeiro acorde",
        position: 4,
        published_at: null,
        opens_after_days: null,
        opens_at: null
      })
      assert.strictEqual((yield* club.read(`/lessons/${id}`)).text, made.text)
    }))

  it.effect("is published, scheduled and made a draft again", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      const { id } = yield* makeLesson(club, club.module, { published_at: null })
      for (const published_at of ["2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z", null]) {
        const answer = yield* club.put(`/lessons/${id}/publication`, { published_at })
        assert.strictEqual(at(answer.json, "data", "published_at"), published_at)
        assert.strictEqual((yield* club.read(`/lessons/${id}`)).text, answer.text)
      }
      const without = yield* club.put(`/lessons/${id}/publication`, {})
      assert.deepStrictEqual(outcome(without), [422, "validation_failed"])
      const unknown = yield* club.put(`/lessons/${unknownId}/publication`, { published_at: null })
      assert.deepStrictEqual(outcome(unknown), [404, "not_found"])
    }))

  it.effect("keeps its key from every other lesson of the club, and a deleted one keeps it too", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      const first = yield* club.create(club.lessons, { title: "A", public_id: "a-1" })
      assert.deepStrictEqual(outcome(yield* club.create(club.lessons, { title: "B", public_id: "a-1" })), [
        409,
        "public_id_taken"
      ])
      const second = yield* club.create(club.lessons, { title: "B" })
      yield* club.remove(`/lessons/${idOf(first)}`)
      const taken = yield* club.patch(`/lessons/${idOf(second)}`, { public_id: "a-1", title: "C" })
      assert.deepStrictEqual(outcome(taken), [409, "public_id_taken"])
      assert.strictEqual((yield* club.read(`/lessons/${idOf(second)}`)).text, second.text)
    }))

  it.effect("moves to the end of another module of its course, and to no other", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      const lesson = yield* makeLesson(club, club.module)
      const target = yield* makeModule(club, club.course)
      yield* makeLesson(club, target, { position: 4 })
      const move = (module_id: string) => club.patch(`/lessons/${lesson.id}`, { module_id, title: "Movida" })
      const stays = yield* move(club.module.id)
      assert.deepInclude(Object(at(stays.json, "data")), { module_id: club.module.id, position: 1 })
      const foreign = yield* foundClub()
      const refused = [
        unknownId,
        (yield* makeModule(club, yield* makeCourse(club))).id,
        (yield* makeModule(foreign, yield* makeCourse(foreign))).id,
        (yield* makeModule(club, club.course, { deleted_at: yield* DateTime.now })).id
      ]
      for (const id of refused) assert.deepStrictEqual(outcome(yield* move(id)), [422, "module_unknown"], id)
      const moved = yield* move(target.id.toUpperCase())
      assert.deepInclude(Object(at(moved.json, "data")), { module_id: target.id, position: 5, title: "Movida" })
      assert.deepStrictEqual(listed(yield* club.read(club.lessons), "id"), [])
      const nobodys = yield* club.patch(`/lessons/${unknownId}`, { module_id: target.id })
      assert.deepStrictEqual(outcome(nobodys), [404, "not_found"])
    }))

  it.effect("opens after days or at a moment, never both, until null clears it", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      yield* opensInOneWay(club, club.lessons, "/lessons")
    }))

  it.effect("is deleted with its blocks", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      const lesson = yield* makeLesson(club, club.module)
      const block = yield* makeBlock(club, lesson)
      assert.strictEqual((yield* club.remove(`/lessons/${lesson.id}`)).status, 204)
      for (const path of [`/lessons/${lesson.id}`, `/lessons/${lesson.id}/blocks`, `/blocks/${block.id}`]) {
        assert.deepStrictEqual(outcome(yield* club.read(path)), [404, "not_found"], path)
      }
      assert.deepStrictEqual(outcome(yield* club.remove(`/lessons/${lesson.id}`)), [404, "not_found"])
    }))

  it.effect("has its material read anew when it is renamed, published, filled or deleted, alone or with its course", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      const { id } = yield* makeLesson(club, club.module)
      const changes = [
        club.patch(`/lessons/${id}`, { title: "B" }),
        club.put(`/lessons/${id}/publication`, { published_at: null }),
        club.create(`/lessons/${id}/blocks`, { kind: "text", body: "A" }),
        club.remove(`/lessons/${id}`)
      ]
      for (const [index, change] of changes.entries()) {
        yield* change
        assert.strictEqual(yield* readings(id), index + 1)
      }
      const [ofModule, ofCourse] = [yield* makeLesson(club, club.module), yield* makeModule(club, club.course)]
      const last = yield* makeLesson(club, ofCourse)
      yield* club.remove(`/modules/${club.module.id}`)
      assert.deepStrictEqual([yield* readings(ofModule.id), yield* readings(last.id)], [1, 0])
      yield* club.remove(`/courses/${club.course.id}`)
      assert.deepStrictEqual([yield* readings(ofModule.id), yield* readings(last.id)], [1, 1])
    }))

  it.effect("answers as unknown where it, or its module, is another club's", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const foreign = yield* foundClub()
      const module = yield* makeModule(foreign, yield* makeCourse(foreign))
      const lesson = yield* makeLesson(foreign, module)
      for (const id of [lesson.id, unknownId]) {
        assert.deepStrictEqual(outcome(yield* club.read(`/lessons/${id}`)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.patch(`/lessons/${id}`, { title: "A" })), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.remove(`/lessons/${id}`)), [404, "not_found"])
      }
      for (const id of [module.id, unknownId]) {
        const path = `/modules/${id}/lessons`
        assert.deepStrictEqual(outcome(yield* club.read(path)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.create(path, { title: "A" })), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.put(`${path}/order`, { ids: [] })), [404, "not_found"])
      }
    }))
})

layer(AppLayer)("The lessons of a module", (it) => {
  it.effect("take an order that names each of the module exactly once", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      const a = idOf(yield* club.create(club.lessons, { title: "A" }))
      const b = idOf(yield* club.create(club.lessons, { title: "B" }))
      const elsewhere = yield* makeLesson(club, yield* makeModule(club, club.course))
      for (const ids of [[a], [a, b, a], [a, b, elsewhere.id], [a, elsewhere.id]]) {
        assert.deepStrictEqual(outcome(yield* club.put(`${club.lessons}/order`, { ids })), [422, "order_invalid"])
      }
      const ordered = yield* club.put(`${club.lessons}/order`, { ids: [b, a] })
      assert.deepStrictEqual(listed(ordered, "title"), ["B", "A"])
      assert.strictEqual((yield* club.read(club.lessons)).text, ordered.text)
    }))

  it.effect("get a place each, whether they are created or moved there at once, and are at most 200", () =>
    Effect.gen(function*() {
      const club = yield* openModule
      const other = yield* makeModule(club, club.course)
      const movers = yield* Effect.forEach(Array.from({ length: 4 }), () => makeLesson(club, other))
      yield* Effect.forEach(
        Array.from({ length: 195 }),
        (_, index) => makeLesson(club, club.module, { position: index + 1 })
      )
      const answers = yield* Effect.all([
        ...movers.map(({ id }) => club.patch(`/lessons/${id}`, { module_id: club.module.id })),
        ...Array.from({ length: 4 }, () => club.create(club.lessons, { title: "A" }))
      ], { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(({ status }) => status < 300).length, 5)
      assert.include(answers.map(codeOf), "lesson_limit_reached")
      const positions = listed(yield* club.read(club.lessons), "position")
      assert.deepStrictEqual(positions, Array.from({ length: 200 }, (_, index) => index + 1))
    }))

  it.effect("are at most 1000 in a course, whatever module they are in; deleted ones do not count", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* openModule
      const other = yield* makeModule(club, club.course)
      const at = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        insert into lessons (club_id, id, course_id, module_id, public_id, title, position, created_at)
        select ${club.id}::uuid, gen_random_uuid(), ${club.course.id}::uuid, ${other.id}::uuid, 'many-' || n, 'A', n,
          ${at}::timestamptz
        from generate_series(1, ${courseLessonLimit - 1}::int) n`
      const last = yield* club.create(club.lessons, { title: "Last" })
      assert.strictEqual(last.status, 201)
      const refused = yield* club.create(club.lessons, { title: "One more" })
      assert.deepStrictEqual(outcome(refused), [409, "lesson_limit_reached"])
      yield* club.remove(`/lessons/${idOf(last)}`)
      assert.strictEqual((yield* club.create(club.lessons, { title: "One more" })).status, 201)
    }))
})
