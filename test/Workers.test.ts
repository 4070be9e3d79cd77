import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServicesLayer, WorkersLayer } from "../src/App.ts"
import { at } from "./harness/App.ts"
import { eventually } from "./harness/Eventually.ts"
import { makeCatalogDelivery, makeClub, makeMedia, makeMember, makeStudent } from "./harness/Makers.ts"
import { PostgresLayer } from "./harness/Postgres.ts"
import { serviceSettingsLayer } from "./harness/ServiceSettings.ts"
import { localFolder } from "./platform/storage/local/LocalFolder.ts"

const { folder, list } = localFolder()

const TestLayer = WorkersLayer.pipe(
  Layer.provide(ServicesLayer),
  Layer.provideMerge(PostgresLayer),
  Layer.provide(serviceSettingsLayer(folder))
)

layer(TestLayer)("the workers", (it) => {
  it.effect("delete kept answers that have expired, and only those", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const insert = (id: string, expiresAt: Date) =>
        sql`insert into idempotency_keys (id, request_hash, answer, expires_at)
          values (${Buffer.alloc(32, id)}, ${Buffer.alloc(32)}, ${Buffer.alloc(1)}, ${expiresAt})`
      yield* insert("expired", new Date(0))
      yield* insert("kept", new Date("2100-01-01T00:00:00Z"))
      // The worker may be busy in the database while the clock moves, so the clock moves until the row has disappeared.
      const kept = Effect.andThen(TestClock.adjust("1 minute"), sql`select id from idempotency_keys`)
      const rows = yield* eventually(kept, ({ length }) => length < 2)
      assert.deepStrictEqual(rows, [{ id: Buffer.alloc(32, "kept") }])
    }))

  it.effect("give a delivery that became free to the students there are", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const { id } = yield* makeCatalogDelivery(club, { free: true })
      yield* sql`update deliveries set free_from = ${"00000000-0000-0000-0000-000000000000"} where id = ${id}`
      const given = TestClock.adjust("1 second")
        .pipe(Effect.andThen(sql`select student_id from enrollments where delivery_id = ${id}`))
      assert.deepStrictEqual(yield* eventually(given, (rows) => rows.length > 0), [{ student_id: student.id }])
    }))

  it.effect("give files whose places hold the id of their club others", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const { id } = yield* makeMedia(club)
      const old = join(folder, "files/kept", club.id)
      mkdirSync(old, { recursive: true })
      writeFileSync(join(old, id), "hello")
      yield* sql`update media set storage_key = ${`${club.id}/${id}`} where id = ${id}`
      const place = TestClock.adjust("1 minute")
        .pipe(Effect
          .andThen(sql`select storage_key from media where id = ${id} and storage_key not like ${`${club.id}%`}`))
      const [moved] = yield* eventually(place, (rows) => rows.length > 0)
      assert.include(list(), `kept/${String(at(moved, "storage_key"))}`)
    }))

  it.effect("lay the boards that rankings are read from", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const { id } = yield* makeStudent(club)
      yield* sql`
        insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
        values (${club.id}, gen_random_uuid(), ${id}, 'quiz_passed', gen_random_uuid(), 20,
          ${DateTime.toDateUtc(yield* DateTime.now)})`
      const laid = TestClock.adjust("1 minute")
        .pipe(Effect.andThen(sql`select day from point_boards where club_id = ${club.id} and laid_at is not null`))
      assert.lengthOf(yield* eventually(laid, (rows) => rows.length === 2), 2)
    }))

  it.effect("delete invitations that have expired, and only those", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const inviter = yield* makeMember(club, "owner")
      const insert = (name: string, expires_at: DateTime.Utc) =>
        sql`insert into invitations (club_id, id, email, role, invited_by, token_hash, created_at, expires_at)
          values (${club.id}, gen_random_uuid(), ${name}, 'viewer', ${inviter.id}, ${Buffer.alloc(32, name)},
            ${new Date(0)}, ${DateTime.toDateUtc(expires_at)})`
      const now = yield* DateTime.now
      yield* insert("expired", now)
      yield* insert("kept", DateTime.addDuration(now, Duration.days(7)))
      const kept = Effect.andThen(TestClock.adjust("1 minute"), sql`select email from invitations`)
      const rows = yield* eventually(kept, ({ length }) => length < 2)
      assert.deepStrictEqual(rows, [{ email: "kept" }])
      // Takes long: the sweep of invitations runs hourly, and in an hour all workers poll tens of thousands of times.
    }))
})
