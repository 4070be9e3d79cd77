import { NodeServices } from "@effect/platform-node"
import { assert, it as test, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClubFiles } from "../../../src/learning/media/ClubFiles.ts"
import { MediaCleanup } from "../../../src/learning/media/MediaCleanup.ts"
import { migrate, migrationsFolder } from "../../../src/platform/sql/Migrations.ts"
import { appLayer, at, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"
import { makeClub, makeMedia, makeStudent, makeUser } from "../../harness/Makers.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { areEqual, clubBytes } from "./Counts.ts"
import { announced, begin, complete, html, png, sendFile, uploaded } from "./Files.ts"
import { uses } from "./Uses.ts"

const { empty, folder, list } = localFolder()
const mebibyte = 1024 * 1024

const quotas = { STORAGE_QUOTA_STUDENT: "20 MiB", STORAGE_QUOTA_CLUB: "50 MiB" }

const ServiceLayer = MediaCleanup.layer
  .pipe(Layer.provideMerge(appLayer({ DATA_DIR: folder, RATE_LIMIT_WRITES: "100000", ...quotas })))

const enrolled = Effect.fnUntraced(function*(club: Effect.Success<ReturnType<typeof foundClub>>) {
  return { ...(yield* enrolledStudent(club)), path: club.path }
})

type Caller = Parameters<typeof begin>[0]

const reached = [409, "storage_quota_reached"]
const begun = [201, undefined]

const archive = { file_name: "a.zip", mime: "application/zip" }
const image = { file_name: "a.png", mime: "image/png" }

/** Asks for a ticket of this many bytes, for a purpose of the staff or of students. */
const ask = (caller: Caller, size_bytes: number, given: Record<string, unknown> = archive) =>
  begin(caller, { size_bytes, ...given })
const askForMentorship = ({ path, token }: Caller, size_bytes: number) =>
  send("POST", `${path}/mentorship-files`, { token, body: { ...archive, size_bytes } })

layer(ServiceLayer)("What is kept in storage", (it) => {
  it.effect("is at most so much of a student, whatever for, sent or not", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [student, other] = [yield* enrolled(club), yield* enrolled(club)]
      const ofTen = (purpose: string) => ask(student, 10 * mebibyte, { ...image, purpose })
      assert.deepStrictEqual(outcome(yield* ofTen("comment")), begun)
      assert.deepStrictEqual(outcome(yield* ofTen("ask")), begun)
      for (const purpose of ["comment", "ask", "submission"]) {
        assert.deepStrictEqual(outcome(yield* ask(student, 1, { ...image, purpose })), reached)
      }
      assert.deepStrictEqual(outcome(yield* ask(other, 1, { ...image, purpose: "ask" })), begun)
      yield* areEqual
    }))

  it.effect("is at most so much of a club, its students' files among it", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const student = yield* enrolled(club)
      assert.deepStrictEqual(outcome(yield* ask(club, 20 * mebibyte)), begun)
      assert.deepStrictEqual(outcome(yield* askForMentorship(club, 20 * mebibyte)), begun)
      assert.deepStrictEqual(outcome(yield* ask(student, 10 * mebibyte, { ...image, purpose: "ask" })), begun)
      assert.deepStrictEqual(outcome(yield* ask(club, 1)), reached)
      assert.deepStrictEqual(outcome(yield* askForMentorship(club, 1)), reached)
      assert.deepStrictEqual(outcome(yield* ask(student, 1, { ...image, purpose: "comment" })), reached)
      // Files of hosted providers take no storage here.
      const hosted = { provider: "youtube", external_id: "dQw4w9WgXcQ", kind: "video", title: "A" }
      assert.deepStrictEqual(outcome(yield* begin(club, hosted)), begun)
      assert.deepStrictEqual(outcome(yield* ask(foreign, 50 * mebibyte)), begun)
      yield* areEqual
    }))

  it.effect("is not more for many tickets at the same time", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolled(club)
      const all = [
        ...Array.from({ length: 10 }, () => ask(club, 8 * mebibyte)),
        ...Array.from({ length: 10 }, () => askForMentorship(club, 8 * mebibyte)),
        ...Array.from({ length: 5 }, () => ask(student, 8 * mebibyte, { ...image, purpose: "ask" }))
      ]
      const answers = yield* Effect.all(all, { concurrency: "unbounded" })
      for (const answer of answers) assert.include([201, 409], answer.status, answer.text)
      assert.lengthOf(answers.filter(({ status }) => status === 201), 6)
      assert.isAtMost(answers.slice(20).filter(({ status }) => status === 201).length, 2)
      assert.strictEqual(yield* clubBytes(club), 48 * mebibyte)
      yield* areEqual
    }))
})

layer(ServiceLayer)("The count of what is kept in storage", (it) => {
  it.effect("is the sum after uploads, refusals, deletions, removals and sweeps", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles, expire, sweepUnused } = yield* MediaCleanup
      const club = yield* foundClub()
      const [student, leaving] = [yield* enrolled(club), yield* enrolled(club)]
      const deleted = yield* uploaded(club, png)
      yield* uploaded(club, png)
      // The sent file differs from the announced one.
      const refused = yield* begin(club, announced(html))
      yield* sendFile(refused, html)
      assert.strictEqual((yield* complete(club, refused)).status, 422)
      yield* ask(club, mebibyte)
      for (const someone of [student, leaving]) {
        const used = yield* uploaded(someone, png, { purpose: "comment" })
        yield* uses.comment(club, someone, used)
        yield* uploaded(someone, png, { purpose: "ask" })
        yield* ask(someone, mebibyte, { ...image, purpose: "ask" })
      }
      assert.strictEqual(yield* areEqual, 3)
      yield* send("DELETE", `${club.path}/media/${deleted}`, club)
      yield* areEqual
      yield* send("DELETE", `${club.path}/students/${leaving.id}`, club)
      yield* areEqual
      yield* Effect.all([deleteFiles, deleteFiles], { concurrency: "unbounded" })
      yield* areEqual
      yield* TestClock.adjust("24 hours")
      yield* Effect.all([expire, expire, deleteFiles], { concurrency: "unbounded" })
      yield* deleteFiles
      assert.strictEqual(yield* areEqual, 2)
      yield* TestClock.adjust("7 days")
      yield* Effect.all([sweepUnused, deleteFiles], { concurrency: "unbounded" })
      yield* deleteFiles
      assert.strictEqual(yield* areEqual, 2)
      // The library's file and the student's used file. The refused upload has no file.
      assert.strictEqual(yield* clubBytes(club), 2 * png.length)
      assert.lengthOf(list(), 2)
    }))

  it.effect("has a file that is deleted for as long as its address may bring it again, and then it is deleted again", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles } = yield* MediaCleanup
      const club = yield* foundClub()
      const sent = yield* begin(club, announced(png))
      yield* sendFile(sent, png)
      yield* complete(club, sent)
      yield* send("DELETE", `${club.path}/media/${String(at(sent.json, "data", "media", "id"))}`, club)
      yield* deleteFiles
      assert.deepStrictEqual(list(), [])
      assert.strictEqual((yield* sendFile(sent, png)).status, 204)
      assert.strictEqual(yield* deleteFiles, 0)
      assert.strictEqual(yield* clubBytes(club), png.length)
      // An upload begins within 15 minutes. It ends within five minutes and the time for its size.
      yield* TestClock.adjust("20 minutes")
      assert.strictEqual(yield* deleteFiles, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* deleteFiles, 1)
      assert.deepStrictEqual(list(), [])
      assert.strictEqual(yield* clubBytes(club), 0)
      assert.strictEqual(yield* deleteFiles, 0)
    }))

  it.effect("has a file that was refused for as long as its address may bring it again, and its record no longer", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles } = yield* MediaCleanup
      const club = yield* foundClub()
      const student = yield* enrolled(club)
      const given = { purpose: "comment" }
      for (const [caller, more, as] of [[club, {}, "staff"], [student, given, "student"]] as const) {
        const sent = yield* begin(caller, announced(html, more))
        yield* sendFile(sent, html)
        assert.strictEqual((yield* complete(caller, sent, as)).status, 422)
        assert.strictEqual(yield* deleteFiles, 1)
        assert.strictEqual((yield* sendFile(sent, html)).status, 204)
        assert.deepStrictEqual([yield* clubBytes(club), yield* deleteFiles], [html.length, 0])
        yield* TestClock.adjust("20 minutes")
        assert.deepStrictEqual([yield* clubBytes(club), yield* deleteFiles], [html.length, 0])
        yield* areEqual
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual([yield* deleteFiles, yield* deleteFiles, list()], [1, 0, []])
        assert.strictEqual(yield* clubBytes(club), 0)
        yield* areEqual
        assert.strictEqual((yield* complete(caller, sent, as)).status, 422)
      }
    }))

  it.effect("has a file that was refused once, when its record is deleted or its student removed", () =>
    Effect.gen(function*() {
      const { deleteFiles, sweepUnused } = yield* MediaCleanup
      const club = yield* foundClub()
      const [student, leaving] = [yield* enrolled(club), yield* enrolled(club)]
      const refusedOf = Effect.fnUntraced(function*(caller: Caller, as: "staff" | "student") {
        const sent = yield* begin(caller, announced(html, as === "student" ? { purpose: "ask" } : {}))
        yield* sendFile(sent, html)
        yield* complete(caller, sent, as)
        return `${club.path}/media/${String(at(sent.json, "data", "media", "id"))}`
      })
      const [open, over] = [yield* refusedOf(club, "staff"), yield* refusedOf(club, "staff")]
      for (const one of [student, leaving]) yield* refusedOf(one, "student")
      assert.strictEqual(yield* clubBytes(club), 4 * html.length)
      assert.strictEqual((yield* send("DELETE", open, club)).status, 204)
      assert.strictEqual((yield* send("DELETE", `${club.path}/students/${leaving.id}`, club)).status, 204)
      const receipt = yield* send("GET", `${club.path}/students/${leaving.id}/erasure`, club)
      assert.strictEqual(at(receipt.json, "data", "counts", "media"), 1)
      assert.strictEqual(yield* clubBytes(club), 4 * html.length)
      yield* areEqual
      yield* TestClock.adjust("21 minutes")
      yield* deleteFiles
      assert.deepStrictEqual([yield* clubBytes(club), yield* deleteFiles], [0, 0])
      assert.strictEqual((yield* send("DELETE", over, club)).status, 204)
      yield* TestClock.adjust("7 days")
      yield* sweepUnused
      assert.deepStrictEqual([yield* clubBytes(club), yield* deleteFiles], [0, 0])
      yield* areEqual
    }))

  it.effect("costs a ticket of a large club what it costs of a small one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const files = yield* ClubFiles
      const club = yield* foundClub()
      const owner = yield* makeUser()
      yield* sql`
        insert into media (
          club_id, id, kind, purpose, title, provider, status, visibility, storage_key, size_bytes, created_at
        )
        select ${club.id}::uuid, gen_random_uuid(), 'file', 'library', 'A', 'storage', 'ready', 'private',
          'a/' || gen_random_uuid(), 1, '2026-01-01'
        from generate_series(1, 20000) n`
      // With only a few counts the planner would scan the table, since an index would not pay.
      yield* sql`
        with many as (
          insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
          select gen_random_uuid(), gen_random_uuid(), 'Many', 'many-' || n, 'UTC', 'en', true, '2026-01-01'
          from generate_series(1, 1000) n
          returning id
        )
        insert into club_storage (club_id, bytes) select id, 0 from many`
      yield* vacuumed("media", "club_storage")
      const ticket = files.begin(club.id, "library", owner.id, { ...archive, size_bytes: 1 })
      assert.deepStrictEqual(yield* readingMuch(ticket, 5), [])
      assert.strictEqual(yield* clubBytes(club), 20_001)
    }))
})

test.effect("What has failed before counts like what fails now", () =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const sql = yield* SqlClient.SqlClient
    const older = yield* fs.makeTempDirectoryScoped({ prefix: "turma-migrations-" })
    for (const file of yield* fs.readDirectory(migrationsFolder)) {
      if (file < "0042") yield* fs.copyFile(`${migrationsFolder}/${file}`, `${older}/${file}`)
    }
    yield* migrate(older)
    const club = yield* makeClub()
    const student = yield* makeStudent(club)
    yield* Effect.forEach(["failed", "ready", "failed", "uploading"] as const, (status) => makeMedia(club, { status }))
    const [one, two] = [yield* makeMedia(club, { status: "failed" }), yield* makeMedia(club, { status: "failed" })]
    yield* sql`update media set removed_at = created_at where id = ${two.id}`
    yield* sql`delete from media where id = ${one.id}`
    const theirs = { ...one, status: "failed", storage_key: "a/b", size_bytes: 1024, student_id: student.id }
    yield* sql`
      insert into media ${sql.insert({ ...theirs, club_id: club.id, visibility: "private", created_at: new Date(0) })}`
    assert.strictEqual(yield* clubBytes(club), 5 * 1024)
    yield* migrate(migrationsFolder)
    assert.strictEqual(yield* clubBytes(club), 5 * 1024)
    assert.strictEqual(yield* areEqual, 2)
    yield* sql`delete from removed_files`
    assert.strictEqual(yield* clubBytes(club), 2 * 1024)
    assert.strictEqual(yield* areEqual, 1)
  }).pipe(Effect.scoped, Effect.provide([EmptyPostgresLayer, NodeServices.layer])))
