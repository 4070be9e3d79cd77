import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { AppLayer, at, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeBlock, makeCourse, makeLesson, makeModule } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { openContent, unknownId } from "./OpenContent.ts"

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))("The outline of a course", (it) => {
  it.effect("has its modules and lessons in their order, drafts too, and how many blocks each has", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = yield* makeCourse(club, { title: "Flauta" })
      const last = yield* makeModule(club, course, { title: "Depois", position: 2 })
      const first = yield* makeModule(club, course, { title: "Antes", position: 1 })
      const draft = yield* makeLesson(club, first, { title: "Soprar", position: 2, published_at: null })
      const live = yield* makeLesson(club, first, {
        title: "Respirar",
        position: 1,
        published_at: DateTime.makeUnsafe(0)
      })
      const opens_at = "2026-04-02T03:00:00.000Z"
      yield* club.patch(`/modules/${first.id}`, { opens_at })
      yield* club.patch(`/lessons/${live.id}`, { opens_after_days: 7 })
      yield* makeBlock(club, live)
      yield* makeBlock(club, live, undefined, { position: 2 })
      const gone = yield* makeBlock(club, live, undefined, { position: 3 })
      yield* club.remove(`/blocks/${gone.id}`)
      yield* club.remove(`/lessons/${(yield* makeLesson(club, first, { position: 3 })).id}`)
      yield* club.remove(`/modules/${(yield* makeModule(club, course, { position: 3 })).id}`)
      const { json, text } = yield* club.read(`/courses/${course.id}/outline`)
      const { modules, ...outlined } = Object(at(json, "data"))
      assert.deepStrictEqual(outlined, at((yield* club.read("/courses")).json, "data", 0), text)
      assert.deepStrictEqual(modules, [
        {
          id: first.id,
          title: "Antes",
          opens_after_days: null,
          opens_at,
          lessons: [
            {
              id: live.id,
              public_id: live.public_id,
              title: "Respirar",
              published_at: "1970-01-01T00:00:00.000Z",
              opens_after_days: 7,
              opens_at: null,
              blocks_count: 2
            },
            {
              id: draft.id,
              public_id: draft.public_id,
              title: "Soprar",
              published_at: null,
              opens_after_days: null,
              opens_at: null,
              blocks_count: 0
            }
          ]
        },
        { id: last.id, title: "Depois", opens_after_days: null, opens_at: null, lessons: [] }
      ])
    }))

  it.effect("is one statement, however much there is, and read by every member of its club alone", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = yield* makeCourse(club)
      const path = `${club.path}/courses/${course.id}/outline`
      for (const position of [1, 2, 3]) yield* makeLesson(club, yield* makeModule(club, course, { position }))
      for (const role of ["editor", "support", "viewer"] as const) {
        assert.strictEqual((yield* send("GET", path, { token: yield* tokenAs(club, role) })).status, 200, role)
      }
      assert.lengthOf(yield* statements(send("GET", path, club)), 2)
      const other = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* send("GET", `${other.path}/courses/${course.id}/outline`, other)), [
        404,
        "not_found"
      ])
      for (const id of [unknownId, "x"]) {
        assert.deepStrictEqual(outcome(yield* club.read(`/courses/${id}/outline`)), [404, "not_found"])
      }
      yield* club.remove(`/courses/${course.id}`)
      assert.deepStrictEqual(outcome(yield* send("GET", path, club)), [404, "not_found"])
    }))
})
