import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, at, codeOf, enrolledStudent, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeCourse, makeLesson, makeMedia, makeModule } from "../../harness/Makers.ts"
import { isAbout } from "../../harness/Refusals.ts"
import { idOf, listed, openContent, unknownId } from "./OpenContent.ts"

layer(AppLayer)("A course", (it) => {
  it.effect("is created with a title alone: after the others, with a key of 12 letters and digits", () =>
    Effect.gen(function*() {
      const { create, read } = yield* openContent()
      yield* create("/courses", { title: "Primeiro" })
      const made = yield* create("/courses", { title: "Violão do Zero" })
      assert.strictEqual(made.status, 201)
      const { created_at, id, public_id, ...rest } = Object(at(made.json, "data"))
      assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
      assert.match(public_id, /^[A-Za-z0-9]{12}$/)
      assert.deepStrictEqual(rest, {
        title: "Violão do Zero",
        subtitle: null,
        description: null,
        instructor_name: null,
        cover_media_id: null,
        listed: false,
        position: 2,
        live_lessons: 0
      })
      assert.strictEqual((yield* read(`/courses/${id}`)).text, made.text)
    }))

  it.effect("is read by every member and written by the content staff", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const path = `${club.path}/courses`
      const made = yield* club.create("/courses", { title: "A" })
      for (const role of ["admin", "editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(club, role)
        assert.strictEqual((yield* send("GET", `${path}/${idOf(made)}`, { token })).text, made.text)
        const written = yield* send("POST", path, { token, body: { title: role } })
        const changed = yield* send("PATCH", `${path}/${idOf(made)}`, { token, body: {} })
        const mayWrite = role === "admin" || role === "editor"
        assert.deepStrictEqual([written.status, changed.status], mayWrite ? [201, 200] : [403, 403], role)
      }
      const student = yield* enrolledStudent(club)
      assert.deepStrictEqual(outcome(yield* send("GET", path, student)), [401, "unauthenticated"])
    }))

  it.effect("takes the key that is sent, and keeps it from every other course, a deleted one's too", () =>
    Effect.gen(function*() {
      const { create, patch, remove } = yield* openContent()
      const first = yield* create("/courses", { title: "A", public_id: "do-Zero_1" })
      assert.strictEqual(at(first.json, "data", "public_id"), "do-Zero_1")
      const again = yield* create("/courses", { title: "B", public_id: "do-Zero_1" })
      assert.deepStrictEqual(outcome(again), [409, "public_id_taken"])
      const second = yield* create("/courses", { title: "B" })
      yield* remove(`/courses/${idOf(first)}`)
      const taken = yield* patch(`/courses/${idOf(second)}`, { public_id: "do-Zero_1" })
      assert.deepStrictEqual(outcome(taken), [409, "public_id_taken"])
      const another = yield* openContent()
      assert.strictEqual((yield* another.create("/courses", { title: "A", public_id: "do-Zero_1" })).status, 201)
    }))

  it.effect("is changed where a patch names it, and nowhere else", () =>
    Effect.gen(function*() {
      const { create, patch } = yield* openContent()
      const made = yield* create("/courses", { title: "A" })
      const before = Object(at(made.json, "data"))
      const titled = yield* patch(`/courses/${idOf(made)}`, { title: "B" })
      assert.deepStrictEqual(at(titled.json, "data"), { ...before, title: "B" })
      const keyed = yield* patch(`/courses/${idOf(made)}`, { public_id: "k" })
      assert.deepStrictEqual(at(keyed.json, "data"), { ...before, title: "B", public_id: "k" })
      assert.strictEqual((yield* patch(`/courses/${idOf(made)}`, {})).text, keyed.text)
    }))

  it.effect.each([
    ["title", { title: "" }],
    ["title", { title: "a".repeat(201) }],
    ["title", { title: "a\u0000" }],
    ["public_id", { title: "A", public_id: "" }],
    ["public_id", { title: "A", public_id: "a b" }],
    ["public_id", { title: "A", public_id: "a".repeat(33) }],
    ["subtitle", { title: "A", subtitle: "a".repeat(201) }],
    ["description", { title: "A", description: "a".repeat(5001) }],
    ["instructor_name", { title: "A", instructor_name: "" }],
    ["listed", { title: "A", listed: null }],
    ["position", { title: "A", position: 1 }]
  ] as const)("is refused with 422 that names %s", ([field, body]) =>
    Effect.gen(function*() {
      const { create } = yield* openContent()
      const answer = yield* create("/courses", body)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
    }))

  it.effect("keeps what its page shows until null clears it, from its creation on", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const cover = yield* makeMedia(club, { kind: "image", title: "Capa" })
      const page = {
        subtitle: "Do zero",
        description: "Em **quatro** semanas",
        instructor_name: "Pixinguinha",
        cover_media_id: cover.id,
        listed: true
      }
      const made = yield* club.create("/courses", { title: "A", ...page })
      assert.deepInclude(at(made.json, "data"), page)
      const path = `/courses/${idOf(made)}`
      assert.deepInclude(at((yield* club.patch(path, { title: "B" })).json, "data"), page)
      const none = { subtitle: null, description: null, instructor_name: null, cover_media_id: null }
      yield* club.patch(path, none)
      assert.deepInclude(at((yield* club.read(path)).json, "data"), { ...none, listed: true, title: "B" })
    }))

  it.effect("has an image of the library as its cover, and nothing else", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const path = `/courses/${idOf(yield* club.create("/courses", { title: "A" }))}`
      const others = [
        yield* makeMedia(club, { kind: "document" }),
        yield* makeMedia(club, { kind: "image", status: "uploading" }),
        yield* makeMedia(club, { kind: "image", purpose: "mentorship" }),
        yield* makeMedia(yield* foundClub(), { kind: "image" }),
        { id: unknownId }
      ]
      for (const { id } of others) {
        const refused = [
          yield* club.create("/courses", { title: "A", cover_media_id: id }),
          yield* club.patch(path, { cover_media_id: id })
        ]
        for (const answer of refused) assert.deepStrictEqual(outcome(answer), [422, "media_unknown"])
      }
    }))

  it.effect("names images of the library in its description, and keeps them while it does", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const { id } = yield* makeMedia(club, { kind: "image" })
      const description = `![Uma flauta](media:${id})`
      const course = idOf(yield* club.create("/courses", { title: "A", description }))
      const unknown = { description: `![](media:${unknownId})` }
      assert.deepStrictEqual(outcome(yield* club.patch(`/courses/${course}`, unknown)), [422, "media_unknown"])
      assert.deepStrictEqual(outcome(yield* club.remove(`/media/${id}`)), [409, "media_in_use"])
      yield* club.patch(`/courses/${course}`, { description: null })
      assert.strictEqual((yield* club.remove(`/media/${id}`)).status, 204)
    }))

  it.effect("names at most 100 different images in its description", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const images = yield* Effect.replicateEffect(makeMedia(club, { kind: "image" }), 101)
      const description = images.map(({ id }) => `![](media:${id})`).join("")
      const made = yield* club.create("/courses", { title: "A", description: description.slice(49) })
      assert.strictEqual(made.status, 201, made.text)
      const refused = [
        yield* club.create("/courses", { title: "A", description }),
        yield* club.patch(`/courses/${idOf(made)}`, { description })
      ]
      for (const answer of refused) {
        assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
        assert.strictEqual(at(answer.json, "error", "message"), "description must name at most 100 different images")
      }
    }))

  it.effect("keeps its cover from being deleted, until it is deleted itself", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const { id } = yield* makeMedia(club, { kind: "image" })
      const course = idOf(yield* club.create("/courses", { title: "A", cover_media_id: id }))
      assert.deepStrictEqual(outcome(yield* club.remove(`/media/${id}`)), [409, "media_in_use"])
      yield* club.remove(`/courses/${course}`)
      assert.strictEqual((yield* club.remove(`/media/${id}`)).status, 204)
    }))

  it.effect("says how many of its lessons are live now, whichever route answers it", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const [course, other] = [yield* makeCourse(club), yield* makeCourse(club, { position: 2 })]
      const module = yield* makeModule(club, course)
      const hour = (hours: number) => DateTime.makeUnsafe(hours * 3_600_000)
      yield* TestClock.setTime(DateTime.toEpochMillis(hour(10)))
      for (const published_at of [hour(9), hour(10), hour(11), null]) yield* makeLesson(club, module, { published_at })
      yield* club.remove(`/lessons/${(yield* makeLesson(club, module, { published_at: hour(9) })).id}`)
      const path = `/courses/${course.id}`
      const counts = Effect.map(club.read("/courses"), (answer) => listed(answer, "live_lessons"))
      assert.deepStrictEqual(yield* counts, [2, 0])
      for (const answer of [yield* club.read(path), yield* club.patch(path, { title: "B" })]) {
        assert.strictEqual(at(answer.json, "data", "live_lessons"), 2)
      }
      const ordered = yield* club.put("/courses/order", { ids: [other.id, course.id] })
      assert.deepStrictEqual(listed(ordered, "live_lessons"), [0, 2])
      yield* TestClock.setTime(DateTime.toEpochMillis(hour(11)))
      assert.strictEqual(at((yield* club.read(path)).json, "data", "live_lessons"), 3)
    }))

  it.effect("is deleted with its modules and lessons, and is then nowhere", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = yield* makeCourse(club)
      const module = yield* makeModule(club, course)
      const lesson = yield* makeLesson(club, module)
      const paths = [`/courses/${course.id}`, `/modules/${module.id}`, `/lessons/${lesson.id}`]
      const other = yield* makeModule(club, yield* makeCourse(club, { title: "Fica", position: 2 }))
      assert.strictEqual((yield* club.remove(`/courses/${course.id}`)).status, 204)
      for (const path of paths.slice(0, 2)) assert.deepStrictEqual(outcome(yield* club.read(path)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* club.remove(`/courses/${course.id}`)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* club.patch(`/courses/${course.id}`, {})), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* club.read(`/courses/${course.id}/modules`)), [404, "not_found"])
      assert.deepStrictEqual(listed(yield* club.read("/courses"), "title"), ["Fica"])
      assert.strictEqual((yield* club.read(`/modules/${other.id}`)).status, 200)
    }))

  it.effect("answers as unknown where it is another club's", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const foreign = yield* makeCourse(yield* foundClub())
      for (const id of [foreign.id, unknownId, "nope"]) {
        assert.deepStrictEqual(outcome(yield* club.read(`/courses/${id}`)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.patch(`/courses/${id}`, { title: "A" })), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.remove(`/courses/${id}`)), [404, "not_found"])
      }
    }))
})

layer(AppLayer)("The courses of a club", (it) => {
  it.effect("are listed in their order, page by page, also after the last one seen was deleted", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const ids: Array<string> = []
      for (const title of ["A", "B", "C", "D"]) ids.push(idOf(yield* club.create("/courses", { title })))
      const ordered = yield* club.put("/courses/order", { ids: ids.toReversed() })
      assert.deepStrictEqual(listed(ordered, "title"), ["D", "C", "B", "A"])
      assert.deepStrictEqual(listed(ordered, "position"), [1, 2, 3, 4])
      const first = yield* club.read("/courses?limit=2")
      assert.deepStrictEqual(listed(first, "title"), ["D", "C"])
      yield* club.remove(`/courses/${ids[2]}`)
      const cursor = String(at(first.json, "next_cursor"))
      const second = yield* club.read(`/courses?limit=2&cursor=${cursor}`)
      assert.deepStrictEqual(listed(second, "title"), ["B", "A"])
      assert.isNull(at(second.json, "next_cursor"))
      assert.deepStrictEqual(outcome(yield* club.read("/courses?cursor=nope")), [400, "invalid_cursor"])
    }))

  it.effect("take an order that names each exactly once, and no other", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const [a, b, gone] = [yield* makeCourse(club), yield* makeCourse(club), yield* makeCourse(club)].map(({ id }) =>
        id
      )
      yield* club.remove(`/courses/${gone}`)
      const foreign = yield* makeCourse(yield* foundClub())
      for (const ids of [[a], [a, a], [a, b, b], [a, b, gone], [a, foreign.id], [a, b, unknownId], []]) {
        assert.deepStrictEqual(outcome(yield* club.put("/courses/order", { ids })), [422, "order_invalid"])
      }
      const capitals = yield* club.put("/courses/order", { ids: [b?.toUpperCase(), a] })
      assert.deepStrictEqual(listed(capitals, "id"), [b, a])
    }))

  it.effect("get a place each, however many are created at once", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      yield* Effect.all(
        Array.from({ length: 10 }, (_, index) => club.create("/courses", { title: `${index}` })),
        { concurrency: "unbounded" }
      )
      const positions = listed(yield* club.read("/courses?limit=100"), "position")
      assert.deepStrictEqual(positions, Array.from({ length: 10 }, (_, index) => index + 1))
    }))

  it.effect("are at most 1000", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      yield* Effect.forEach(Array.from({ length: 999 }), (_, index) => makeCourse(club, { position: index + 1 }))
      const answers = yield* Effect.all(
        Array.from({ length: 3 }, () => club.create("/courses", { title: "A" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
      assert.include(answers.map(codeOf), "course_limit_reached")
    }))
})
