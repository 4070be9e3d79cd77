import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Fiber, FileSystem, Layer, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MaterialChanges } from "../../../src/assistant/material/changes/MaterialChanges.ts"
import { MaterialIndex } from "../../../src/assistant/material/MaterialIndex.ts"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { LessonId } from "../../../src/learning/content/Lesson.ts"
import { makeBlock, makeClub, makeLesson, makeLiveLesson } from "../../harness/Makers.ts"
import { adminDatabaseUrl } from "../../harness/Postgres.ts"
import { hasTrials } from "../../harness/Trials.ts"
import { startTurma } from "../../harness/Turma.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { grinding, pdfOf } from "./documents/PdfFile.ts"
import { chunksIn, indexAll, makeMedia, MaterialLayer } from "./MaterialLayer.ts"

// Takes long: a file is read until its time is over.

const changed = (club: { readonly id: ClubId }, lessons: ReadonlyArray<{ readonly id: LessonId }>) =>
  MaterialChanges.use((changes) => changes.lessons(club.id, lessons.map(({ id }) => id)))

const bodiesOf = (lesson: { readonly id: LessonId }) =>
  Effect.map(chunksIn(lesson), (chunks) => chunks.map(({ body }) => body))

/** A club with this many changed lessons, each with one text. */
const clubWith = Effect.fnUntraced(function*(count: number) {
  const club = yield* makeClub()
  const { module } = yield* makeLiveLesson(club)
  const lessons = yield* Effect.forEach(Array.from({ length: count }), () => makeLesson(club, module))
  yield* Effect.forEach(lessons, (lesson) => makeBlock(club, lesson, { kind: "text", body: "A text." }))
  yield* changed(club, lessons)
  return { club, lessons }
})

const readOf = Effect.fnUntraced(function*(lessons: ReadonlyArray<{ readonly id: LessonId }>) {
  const found = yield* Effect.forEach(lessons, bodiesOf)
  return found.filter((bodies) => bodies.length > 0).length
})

layer(MaterialLayer)("Clubs with material to read", (it) => {
  it.effect("take turns, however much one of them has and however long it has waited", () =>
    Effect.gen(function*() {
      const { tick } = yield* MaterialIndex
      const large = yield* clubWith(12)
      yield* TestClock.adjust(Duration.minutes(1))
      const small = yield* clubWith(3)
      for (const turns of [1, 2, 3]) {
        yield* TestClock.adjust(Duration.seconds(1))
        yield* tick
        yield* TestClock.adjust(Duration.seconds(1))
        yield* tick
        assert.deepStrictEqual([yield* readOf(large.lessons), yield* readOf(small.lessons)], [turns, turns])
      }
      yield* indexAll
      assert.strictEqual(yield* readOf(large.lessons), 12)
    }))
})

/** The number of rows of the queue that this work read, with or without an index. */
const readBy = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const reads = Effect.flatMap(
    sql`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as reads
      from pg_stat_xact_user_tables where relname = 'material_queue'`,
    Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ reads: Schema.Int })]))
  )
  return yield* sql.withTransaction(Effect.gen(function*() {
    const [before] = yield* reads
    yield* work
    const [after] = yield* reads
    return after.reads - before.reads
  }))
})

layer(MaterialLayer)("Whoever takes a lesson of one of many clubs", (it) => {
  it.effect("locks no other, neither of this club nor of another", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { tick } = yield* MaterialIndex
      const clubs = yield* Effect.replicateEffect(clubWith(3), 5)
      yield* Effect.forEach(clubs, ({ club }) =>
        sql`insert into material_turns ${sql.insert({ club_id: club.id, taken_at: new Date(-1000) })}`)
      // A reader notes its turn. So it waits for these rows, and keeps its own locks.
      yield* whileHeld(
        sql`select 1 from material_turns for update`,
        Effect.gen(function*() {
          const taking = yield* Effect.forkChild(Effect.replicateEffect(tick, 2, { concurrency: 2 }))
          yield* untilBlocked(2)
          const free = yield* sql.withTransaction(sql`select 1 from material_queue for update skip locked`)
          assert.lengthOf(free, 5 * 3 - 2)
          return taking
        })
      ).pipe(Effect.flatMap(Fiber.join))
    }))

  it.effect("reads a few rows of each, however many are due", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { tick } = yield* MaterialIndex
      yield* indexAll
      const clubs = yield* Effect.replicateEffect(clubWith(1), 20)
      yield* Effect.forEach(clubs, ({ lessons: [lesson] }) =>
        sql`
          with made as (
            insert into lessons (club_id, id, course_id, module_id, public_id, title, position, created_at)
            select club_id, gen_random_uuid(), course_id, module_id, 'n' || n, title, n, created_at
            from lessons, generate_series(1, 200) n where id = ${lesson?.id ?? null}
            returning club_id, id
          )
          insert into material_queue (club_id, lesson_id, due_at)
          select club_id, id, ${new Date(0)}::timestamptz from made`)
      yield* sql`analyze material_queue`
      assert.isAtMost(yield* readBy(tick), 200)
    }))
})

layer(MaterialLayer)("A club whose documents have taken what they may on a day", (it) => {
  it.effect("has the next ones read on its next day, and meanwhile the rest of their lessons", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // In São Paulo the day ends three hours after the day in UTC.
      const club = yield* makeClub({ time_zone: "America/Sao_Paulo" })
      const { lesson } = yield* makeLiveLesson(club)
      const media = yield* makeMedia(club, { pdf: pdfOf(["One page."]) })
      yield* makeBlock(club, lesson, { kind: "file", media_id: media.id })
      yield* makeBlock(club, lesson, { kind: "text", body: "Beside it." }, { position: 2 })
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-05T12:00:00Z")))
      yield* sql`
        insert into material_turns ${
        sql.insert({
          club_id: club.id,
          taken_at: new Date(0),
          day: "2026-05-05",
          spent_ms: Duration.toMillis(Duration.minutes(10)) - 1000
        })
      }`
      yield* changed(club, [lesson])
      yield* indexAll
      assert.deepStrictEqual(yield* bodiesOf(lesson), ["Beside it."])
      // A student's question does not wait for tomorrow.
      yield* MaterialChanges.use((changes) => changes.settled(club.id, lesson.id))
      yield* TestClock.adjust("14 hours")
      yield* indexAll
      assert.deepStrictEqual(yield* bodiesOf(lesson), ["Beside it."])
      yield* TestClock.adjust("1 hour")
      yield* indexAll
      assert.deepStrictEqual(yield* bodiesOf(lesson), ["One page.", "Beside it."])
      const [turn] = yield* sql`select day::text as day, spent_ms from material_turns where club_id = ${club.id}`
      assert.strictEqual(turn?.["day"], "2026-05-06")
      const { spent_ms } = yield* Schema.decodeUnknownEffect(Schema.Struct({ spent_ms: Schema.Int }))(turn)
      assert.isTrue(spent_ms > 0 && spent_ms < 5000)
    }))
})

const soon = Schedule.spaced("100 millis")

layer(Layer.mergeAll(MaterialLayer, NodeServices.layer), { excludeTestServices: true })(
  "While documents of one club that take minutes are read",
  (it) => {
    it.effect.skipIf(!hasTrials)(
      "another club's are read in between, and they are given up with the reason",
      () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const fs = yield* FileSystem.FileSystem
          const DATA_DIR = yield* fs.makeTempDirectoryScoped({ prefix: "turma-turns-" })
          yield* fs.makeDirectory(`${DATA_DIR}/files/kept/media`, { recursive: true })
          const showing = Effect.fnUntraced(function*(pdf: Uint8Array<ArrayBuffer>, count: number) {
            const club = yield* makeClub()
            const { lesson, module } = yield* makeLiveLesson(club)
            const others = yield* Effect.forEach(Array.from({ length: count - 1 }), () => makeLesson(club, module))
            const lessons = [lesson, ...others]
            for (const one of lessons) {
              const media = yield* makeMedia(club, { pdf })
              yield* fs.writeFile(`${DATA_DIR}/files/kept/media/${media.id}`, pdf)
              yield* makeBlock(club, one, { kind: "file", media_id: media.id })
            }
            yield* changed(club, lessons)
            return { club, lessons, lesson }
          })
          const slow = yield* showing(grinding(), 4)
          const quick = yield* showing(pdfOf(["Read in time."]), 1)
          const givenUp = Effect.map(
            sql`select reason from media_readings where club_id = ${slow.club.id} and outcome = 'unreadable'`,
            (rows) => rows.map(({ reason }) => reason)
          )
          const [row] = yield* sql`select current_database() as name`
          const url = new URL(Redacted.value(adminDatabaseUrl()))
          url.pathname = `/${String(row?.["name"])}`
          const turma = yield* startTurma({
            env: {
              ROLE: "worker",
              DATA_DIR,
              DATABASE_URL: url.href,
              APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
            }
          })
          yield* Effect.repeat(bodiesOf(quick.lesson), { until: (bodies) => bodies.length > 0, schedule: soon })
          assert.isBelow((yield* givenUp).length, 3)
          const all = yield* Effect.repeat(givenUp, { until: ({ length }) => length === 4, schedule: soon })
          assert.deepStrictEqual(all, ["time", "time", "time", "time"])
          assert.strictEqual((yield* turma.end()).code, 0)
        })
    )
  }
)
