import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, codeOf, foundClub, outcome } from "../../harness/App.ts"
import { makeCourse, makeLesson, makeModule } from "../../harness/Makers.ts"
import { idOf, listed, openContent, opensInOneWay, unknownId } from "./OpenContent.ts"

layer(AppLayer)("A module", (it) => {
  it.effect("is added to a course after the others, and read where it is", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = yield* makeCourse(club)
      yield* makeModule(club, course, { position: 7 })
      const made = yield* club.create(`/courses/${course.id}/modules`, { title: "Acordes" })
      assert.strictEqual(made.status, 201)
      const { created_at, id, ...rest } = Object(at(made.json, "data"))
      assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        course_id: course.id,
        title: "Acordes",
        position: 8,
        opens_after_days: null,
        opens_at: null
      })
      assert.strictEqual((yield* club.read(`/modules/${id}`)).text, made.text)
    }))

  it.effect("is changed by a patch", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const module = yield* makeModule(club, yield* makeCourse(club))
      const before = yield* club.read(`/modules/${module.id}`)
      const after = yield* club.patch(`/modules/${module.id}`, { title: "B" })
      assert.deepStrictEqual(at(after.json, "data"), { ...Object(at(before.json, "data")), title: "B" })
      assert.strictEqual((yield* club.patch(`/modules/${module.id}`, {})).text, after.text)
      const bad = yield* club.patch(`/modules/${module.id}`, { title: "" })
      assert.deepStrictEqual(outcome(bad), [422, "validation_failed"])
    }))

  it.effect("opens after days or at a moment, never both, until null clears it", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = yield* makeCourse(club)
      yield* opensInOneWay(club, `/courses/${course.id}/modules`, "/modules")
    }))

  it.effect("is deleted with its lessons, and the rest of the course stays", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = yield* makeCourse(club)
      const [gone, stays] = [yield* makeModule(club, course), yield* makeModule(club, course)]
      const lost = yield* makeLesson(club, gone)
      const kept = yield* makeLesson(club, stays)
      assert.strictEqual((yield* club.remove(`/modules/${gone.id}`)).status, 204)
      for (const path of [`/modules/${gone.id}`, `/modules/${gone.id}/lessons`, `/lessons/${lost.id}`]) {
        assert.deepStrictEqual(outcome(yield* club.read(path)), [404, "not_found"], path)
      }
      assert.deepStrictEqual(outcome(yield* club.remove(`/modules/${gone.id}`)), [404, "not_found"])
      assert.deepStrictEqual(listed(yield* club.read(`/courses/${course.id}/modules`), "id"), [stays.id])
      assert.strictEqual((yield* club.read(`/lessons/${kept.id}`)).status, 200)
    }))

  it.effect("answers as unknown where it, or its course, is another club's", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const foreign = yield* foundClub()
      const course = yield* makeCourse(foreign)
      const module = yield* makeModule(foreign, course)
      for (const id of [module.id, unknownId]) {
        assert.deepStrictEqual(outcome(yield* club.read(`/modules/${id}`)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.patch(`/modules/${id}`, { title: "A" })), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.remove(`/modules/${id}`)), [404, "not_found"])
      }
      for (const id of [course.id, unknownId]) {
        const path = `/courses/${id}/modules`
        assert.deepStrictEqual(outcome(yield* club.read(path)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.create(path, { title: "A" })), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.put(`${path}/order`, { ids: [] })), [404, "not_found"])
      }
    }))
})

layer(AppLayer)("The modules of a course", (it) => {
  it.effect("take an order that names each of the course exactly once", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = yield* makeCourse(club)
      const path = `/courses/${course.id}/modules`
      const a = idOf(yield* club.create(path, { title: "A" }))
      const b = idOf(yield* club.create(path, { title: "B" }))
      const elsewhere = yield* makeModule(club, yield* makeCourse(club))
      for (const ids of [[a], [a, b, a], [a, b, elsewhere.id], [a, elsewhere.id]]) {
        assert.deepStrictEqual(outcome(yield* club.put(`${path}/order`, { ids })), [422, "order_invalid"])
      }
      const ordered = yield* club.put(`${path}/order`, { ids: [b, a] })
      assert.deepStrictEqual(listed(ordered, "title"), ["B", "A"])
      assert.deepStrictEqual(at((yield* club.read(path)).json), at(ordered.json))
    }))

  it.effect("get a place each, however many are added at once, and are at most 200", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = yield* makeCourse(club)
      const path = `/courses/${course.id}/modules`
      yield* Effect.forEach(
        Array.from({ length: 195 }),
        (_, index) => makeModule(club, course, { position: index + 1 })
      )
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => club.create(path, { title: "A" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.filter(({ status }) => status === 201).length, 5)
      assert.include(answers.map(codeOf), "module_limit_reached")
      const positions = listed(yield* club.read(path), "position")
      assert.deepStrictEqual(positions, Array.from({ length: 200 }, (_, index) => index + 1))
    }))
})
