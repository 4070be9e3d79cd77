import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { MediaId } from "../../../src/learning/media/Media.ts"
import { repositoryItems } from "../../../src/learning/repositories/RepositoryItems.ts"
import { AppLayer, appLayer, at, enrolledStudent, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import {
  makeCatalogDelivery,
  makeEnrollment,
  makeItem,
  makeMedia,
  makeRepository,
  makeRepositoryFile
} from "../../harness/Makers.ts"
import { call } from "../../harness/RawHttp.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { unknownId } from "../content/OpenContent.ts"
import { pdf, uploaded } from "../media/Files.ts"

/** A club, and a student with a repository of two files. */
const openRepository = Effect.gen(function*() {
  const club = yield* foundClub()
  const student = yield* enrolledStudent(club)
  const delivery = yield* makeCatalogDelivery(club)
  const repository = yield* makeRepository(club, { instructor_name: "Ana", cover_url: "https://cdn.example/a.png" })
  yield* makeItem(club, delivery, { kind: "repository", id: repository.id })
  const enrollment = yield* makeEnrollment(club, student, delivery)
  const media = yield* makeMedia(club)
  const second = yield* makeRepositoryFile(club, repository, media, { title: "B", position: 2 })
  const first = yield* makeRepositoryFile(club, repository, media, { title: "A", position: 1 })
  const base = `${club.path}/classroom/repositories`
  const read = (path = "", token = student.token) => send("GET", `${base}${path}`, { token })
  return { club, student, delivery, repository, enrollment, first, second, read }
})

layer(AppLayer)("A student", (it) => {
  it.effect("sees the repositories that they have and that are live, and of each the contract's fields", () =>
    Effect.gen(function*() {
      const { club, delivery, read, repository } = yield* openRepository
      const hidden = [
        yield* makeRepository(club, { published_at: null }),
        yield* makeRepository(club, { published_at: DateTime.add(yield* DateTime.now, { days: 1 }) })
      ]
      for (const { id } of hidden) yield* makeItem(club, delivery, { kind: "repository", id })
      yield* makeItem(club, yield* makeCatalogDelivery(club), {
        kind: "repository",
        id: (yield* makeRepository(club)).id
      })
      const answer = yield* read()
      assert.strictEqual(answer.status, 200)
      const { cover_url, instructor_name, public_id, title } = repository
      const shown = { public_id, title, file_count: 2, instructor_name, cover_url }
      assert.deepStrictEqual(answer.json, { data: [shown] })
    }))

  it.effect("opens one and sees its files in order", () =>
    Effect.gen(function*() {
      const { first, read, repository, second } = yield* openRepository
      const { cover_url, instructor_name, public_id, title } = repository
      const about = { kind: "document", mime: "application/pdf", size_bytes: 1024, file_name: "acordes.pdf" }
      assert.deepStrictEqual((yield* read(`/${public_id}`)).json, {
        data: {
          public_id,
          title,
          file_count: 2,
          instructor_name,
          cover_url,
          files: [{ id: first.id, title: "A", ...about }, { id: second.id, title: "B", ...about }]
        }
      })
    }))

  it.effect("gets an address of a file, which ends and nobody keeps", () =>
    Effect.gen(function*() {
      const { first, read, repository } = yield* openRepository
      const answer = yield* read(`/${repository.public_id}/files/${first.id}/download`)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      const { expires_at, url, ...rest } = Object(at(answer.json, "data"))
      assert.deepStrictEqual(rest, {})
      assert.isTrue(URL.canParse(url), url)
      assert.isAbove(Date.parse(expires_at), DateTime.toEpochMillis(yield* DateTime.now))
    }))

  it.effect("finds nothing of what they do not have, is not live, or is not there", () =>
    Effect.gen(function*() {
      const { club, delivery, first, read, repository } = yield* openRepository
      const stranger = yield* enrolledStudent(club)
      const draft = yield* makeRepository(club, { published_at: null })
      yield* makeItem(club, delivery, { kind: "repository", id: draft.id })
      const ofDraft = yield* makeRepositoryFile(club, draft, yield* makeMedia(club))
      const other = yield* openRepository
      const own = repository.public_id
      const missing = [
        read(`/${own}`, stranger.token),
        read(`/${own}/files/${first.id}/download`, stranger.token),
        read(`/${draft.public_id}`),
        read(`/${draft.public_id}/files/${ofDraft.id}/download`),
        read(`/${own}/files/${ofDraft.id}/download`),
        read(`/${own}/files/${unknownId}/download`),
        read(`/${own}/files/${other.first.id}/download`),
        read(`/${other.repository.public_id}`),
        read("/nope"),
        read("/%00"),
        read(`/${"a".repeat(33)}`)
      ]
      for (const one of missing) assert.deepStrictEqual(outcome(yield* one), [404, "not_found"])
      assert.deepStrictEqual((yield* read("", stranger.token)).json, { data: [] })
    }))

  it.effect("is asked for by no member, and by no student of another club", () =>
    Effect.gen(function*() {
      const { club, read } = yield* openRepository
      assert.deepStrictEqual(outcome(yield* read("", club.token)), [401, "unauthenticated"])
      const foreign = yield* enrolledStudent(yield* foundClub())
      assert.deepStrictEqual(outcome(yield* read("", foreign.token)), [403, "forbidden"])
    }))

  it.effect("can have it in a delivery while it is there", () =>
    Effect.gen(function*() {
      const { club, repository } = yield* openRepository
      const foreign = yield* makeRepository(yield* foundClub())
      const gone = yield* makeRepository(club)
      yield* send("DELETE", `${club.path}/repositories/${gone.id}`, { token: club.token })
      const { existing, kind } = yield* repositoryItems
      assert.strictEqual(kind, "repository")
      assert.deepStrictEqual(yield* existing(club.id, [repository.id, foreign.id, gone.id]), [repository.id])
      const answer = yield* send("POST", `${club.path}/deliveries`, {
        token: club.token,
        body: { name: "A", items: [{ kind: "repository", id: repository.id }] }
      })
      assert.strictEqual(answer.status, 201)
    }))
})

layer(AppLayer)("With time", (it) => {
  it.effect("a scheduled repository comes, and what was given ends", () =>
    Effect.gen(function*() {
      const { club, read } = yield* openRepository
      const student = yield* enrolledStudent(club)
      const delivery = yield* makeCatalogDelivery(club)
      const now = yield* DateTime.now
      const { id, public_id } = yield* makeRepository(club, { published_at: DateTime.add(now, { hours: 1 }) })
      yield* makeItem(club, delivery, { kind: "repository", id })
      yield* makeEnrollment(club, student, delivery, { expires_at: DateTime.add(now, { hours: 2 }) })
      const count = Effect.map(read("", student.token), ({ json }) => listAt(json, "data").length)
      const status = Effect.map(read(`/${public_id}`, student.token), (answer) => answer.status)
      assert.deepStrictEqual([yield* count, yield* status], [0, 404])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([yield* count, yield* status], [1, 200])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([yield* count, yield* status], [0, 404])
    }))
})

layer(appLayer().pipe(Layer.provideMerge(SpansLayer)))("Each request", (it) => {
  it.effect("of the list is two statements, of the others at most three, the session's included", () =>
    Effect.gen(function*() {
      const { first, read, repository } = yield* openRepository
      const path = `/${repository.public_id}`
      assert.lengthOf(yield* statements(read()), 2)
      assert.isAtMost((yield* statements(read(path))).length, 3)
      assert.isAtMost((yield* statements(read(`${path}/files/${first.id}/download`))).length, 3)
    }))
})

layer(appLayer({ DATA_DIR: localFolder().folder }))("A file of a repository", (it) => {
  it.effect("is saved by a browser, or shown if its reader wants that", () =>
    Effect.gen(function*() {
      const { club, read, repository } = yield* openRepository
      const media = { id: MediaId.make(yield* uploaded(club, pdf, { mime: "application/pdf" })) }
      const file = yield* makeRepositoryFile(club, repository, media, { title: "C", position: 3 })
      for (const [query, shown] of [["", "attachment"], ["?inline=true", "inline"]] as const) {
        const { json } = yield* read(`/${repository.public_id}/files/${file.id}/download${query}`)
        const answer = yield* call("GET", new URL(String(at(json, "data", "url"))).pathname)
        assert.match(answer.headers["content-disposition"] ?? "", new RegExp(`^${shown};`))
      }
    }))
})
