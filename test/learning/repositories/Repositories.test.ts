import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { AppLayer, at, codeOf, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeMedia, makeRepository, makeRepositoryFile } from "../../harness/Makers.ts"
import { isAbout } from "../../harness/Refusals.ts"
import { idOf, listed, openContent, unknownId } from "../content/OpenContent.ts"

layer(AppLayer)("A repository", (it) => {
  it.effect("is created as an empty draft with a key of its own, and read by every member", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const made = yield* club.create("/repositories", { title: "Partituras" })
      assert.strictEqual(made.status, 201)
      const { created_at, id, public_id, ...rest } = Object(at(made.json, "data"))
      assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
      assert.match(public_id, /^[A-Za-z0-9]{12}$/)
      assert.deepStrictEqual(rest, {
        title: "Partituras",
        instructor_name: null,
        cover_url: null,
        file_count: 0,
        published_at: null
      })
      for (const role of ["editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(club, role)
        assert.strictEqual((yield* send("GET", `${club.path}/repositories/${id}`, { token })).text, made.text)
        const { status } = yield* send("POST", `${club.path}/repositories`, { token, body: { title: "A" } })
        assert.strictEqual(status, role === "editor" ? 201 : 403)
      }
    }))

  it.effect("is changed where a patch names it, and nowhere else", () =>
    Effect.gen(function*() {
      const { create, patch } = yield* openContent()
      const about = { title: "A", instructor_name: "Ana", cover_url: "https://cdn.example/a.png", public_id: "a_1" }
      const made = yield* create("/repositories", about)
      const before = Object(at(made.json, "data"))
      assert.deepInclude(before, about)
      const path = `/repositories/${before.id}`
      const named = yield* patch(path, { title: "B", public_id: "b" })
      assert.deepStrictEqual(at(named.json, "data"), { ...before, title: "B", public_id: "b" })
      const cleared = yield* patch(path, { instructor_name: null, cover_url: null })
      const expected = { ...before, title: "B", public_id: "b", instructor_name: null, cover_url: null }
      assert.deepStrictEqual(at(cleared.json, "data"), expected)
      assert.strictEqual((yield* patch(path, {})).text, cleared.text)
    }))

  it.effect.each([
    ["title", { title: "" }],
    ["instructor_name", { title: "A", instructor_name: "" }],
    ["cover_url", { title: "A", cover_url: "http://cdn.example/a.png" }],
    ["cover_url", { title: "A", cover_url: "javascript:alert(1)" }],
    ["cover_url", { title: "A", cover_url: "https://" }],
    ["cover_url", { title: "A", cover_url: "https://cdn.example/a b" }],
    ["cover_url", { title: "A", cover_url: `https://cdn.example/${"a".repeat(2048)}` }],
    ["public_id", { title: "A", public_id: "a b" }]
  ] as const)("is refused with 422 that names %s", ([field, body]) =>
    Effect.gen(function*() {
      const { create } = yield* openContent()
      const answer = yield* create("/repositories", body)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
    }))

  it.effect("keeps its key from every other one, also when it is deleted", () =>
    Effect.gen(function*() {
      const { create, patch, read, remove } = yield* openContent()
      const first = yield* create("/repositories", { title: "A", public_id: "a" })
      const second = yield* create("/repositories", { title: "B" })
      assert.strictEqual((yield* remove(`/repositories/${idOf(first)}`)).status, 204)
      assert.strictEqual(codeOf(yield* create("/repositories", { title: "A", public_id: "a" })), "public_id_taken")
      const taken = yield* patch(`/repositories/${idOf(second)}`, { public_id: "a" })
      assert.deepStrictEqual(outcome(taken), [409, "public_id_taken"])
      for (const path of ["", "/files"]) {
        assert.deepStrictEqual(outcome(yield* read(`/repositories/${idOf(first)}${path}`)), [404, "not_found"])
      }
      assert.deepStrictEqual(outcome(yield* remove(`/repositories/${idOf(first)}`)), [404, "not_found"])
      assert.deepStrictEqual(listed(yield* read("/repositories"), "title"), ["B"])
    }))

  it.effect("is published, scheduled and made a draft again", () =>
    Effect.gen(function*() {
      const { create, put, read } = yield* openContent()
      const id = idOf(yield* create("/repositories", { title: "A" }))
      for (const published_at of ["2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z", null]) {
        const answer = yield* put(`/repositories/${id}/publication`, { published_at })
        assert.strictEqual(at(answer.json, "data", "published_at"), published_at)
        assert.strictEqual((yield* read(`/repositories/${id}`)).text, answer.text)
      }
    }))

  it.effect("is listed with the others, oldest first, page by page", () =>
    Effect.gen(function*() {
      const { create, read } = yield* openContent()
      for (const title of ["A", "B", "C"]) yield* create("/repositories", { title })
      const first = yield* read("/repositories?limit=2")
      assert.deepStrictEqual(listed(first, "title"), ["A", "B"])
      const rest = yield* read(`/repositories?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([listed(rest, "title"), at(rest.json, "next_cursor")], [["C"], null])
    }))

  it.effect("is one of at most 1000", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      yield* Effect.forEach(Array.from({ length: 999 }), () => makeRepository(club))
      const answers = yield* Effect.all(
        Array.from({ length: 3 }, () => club.create("/repositories", { title: "A" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
      assert.include(answers.map(codeOf), "repository_limit_reached")
    }))

  it.effect("answers as unknown where it, or a file, is another club's", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* openContent(), yield* foundClub()]
      const theirs = yield* makeRepository(foreign)
      const file = yield* makeRepositoryFile(foreign, theirs, yield* makeMedia(foreign))
      const own = yield* makeRepository(club)
      const media_id = (yield* makeMedia(club)).id
      for (const id of [theirs.id, unknownId]) {
        const path = `/repositories/${id}`
        const answers = [
          yield* club.read(path),
          yield* club.patch(path, { title: "A" }),
          yield* club.remove(path),
          yield* club.put(`${path}/publication`, { published_at: DateTime.formatIso(yield* DateTime.now) }),
          yield* club.read(`${path}/files`),
          yield* club.create(`${path}/files`, { media_id }),
          yield* club.put(`${path}/files/order`, { ids: [] }),
          yield* club.remove(`${path}/files/${file.id}`)
        ]
        for (const answer of answers) assert.deepStrictEqual(outcome(answer), [404, "not_found"])
      }
      const crossed = yield* club.remove(`/repositories/${own.id}/files/${file.id}`)
      assert.deepStrictEqual(outcome(crossed), [404, "not_found"])
    }))
})

layer(AppLayer)("The files of a repository", (it) => {
  it.effect("are of the library, called as their media unless said, and counted", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const { id } = yield* makeRepository(club)
      const media = yield* makeMedia(club)
      const files = `/repositories/${id}/files`
      const made = yield* club.create(files, { media_id: media.id.toUpperCase() })
      assert.strictEqual(made.status, 201)
      const { created_at, id: file_id, ...rest } = Object(at(made.json, "data"))
      assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        title: media.title,
        kind: "document",
        mime: "application/pdf",
        size_bytes: 1024,
        file_name: "acordes.pdf",
        media_id: media.id,
        position: 1
      })
      yield* club.create(files, { media_id: media.id, title: "Outra vez" })
      const listing = yield* club.read(files)
      assert.deepStrictEqual(listed(listing, "title"), [media.title, "Outra vez"])
      assert.deepStrictEqual(at(listing.json, "data", 0), at(made.json, "data"))
      assert.strictEqual(at((yield* club.read(`/repositories/${id}`)).json, "data", "file_count"), 2)
      assert.strictEqual((yield* club.remove(`${files}/${file_id}`)).status, 204)
      assert.deepStrictEqual(outcome(yield* club.remove(`${files}/${file_id}`)), [404, "not_found"])
      assert.deepStrictEqual(listed(yield* club.read(files), "title"), ["Outra vez"])
    }))

  it.effect("are ready files of the club that can be downloaded", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const { id } = yield* makeRepository(club)
      const refused = [
        unknownId,
        (yield* makeMedia(yield* foundClub())).id,
        (yield* makeMedia(club, { status: "uploading" })).id,
        (yield* makeMedia(club, { kind: "video", provider: "youtube" })).id
      ]
      for (const media_id of refused) {
        const answer = yield* club.create(`/repositories/${id}/files`, { media_id })
        assert.deepStrictEqual(outcome(answer), [422, "media_unknown"])
      }
    }))

  it.effect("let go of their media with the repository", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const { id } = yield* makeRepository(club)
      const media = yield* makeMedia(club)
      yield* club.create(`/repositories/${id}/files`, { media_id: media.id })
      assert.strictEqual(codeOf(yield* club.remove(`/media/${media.id}`)), "media_in_use")
      yield* club.remove(`/repositories/${id}`)
      assert.strictEqual((yield* club.remove(`/media/${media.id}`)).status, 204)
    }))

  it.effect("take an order that names each of the repository exactly once", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const [repository, other] = [yield* makeRepository(club), yield* makeRepository(club)]
      const media = yield* makeMedia(club)
      const a = yield* makeRepositoryFile(club, repository, media, { title: "A", position: 1 })
      const b = yield* makeRepositoryFile(club, repository, media, { title: "B", position: 2 })
      const elsewhere = yield* makeRepositoryFile(club, other, media)
      const path = `/repositories/${repository.id}/files/order`
      for (const ids of [[a.id], [a.id, b.id, a.id], [a.id, elsewhere.id]]) {
        assert.deepStrictEqual(outcome(yield* club.put(path, { ids })), [422, "order_invalid"])
      }
      assert.deepStrictEqual(listed(yield* club.put(path, { ids: [b.id, a.id] }), "title"), ["B", "A"])
    }))

  it.effect("get a place each, however many are added at once, and are at most 200", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const repository = yield* makeRepository(club)
      const media = yield* makeMedia(club)
      const position = (index: number) => ({ position: index + 1 })
      yield* Effect.forEach(
        Array.from({ length: 196 }),
        (_, index) => makeRepositoryFile(club, repository, media, position(index))
      )
      const path = `/repositories/${repository.id}/files`
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => club.create(path, { media_id: media.id })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 4)
      assert.include(answers.map(codeOf), "file_limit_reached")
      const positions = listed(yield* club.read(path), "position")
      assert.deepStrictEqual(positions, Array.from({ length: 200 }, (_, index) => index + 1))
    }))
})
