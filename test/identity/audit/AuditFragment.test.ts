import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUIDv7 } from "node:crypto"
import { audited, type AuditFragment } from "../../../src/identity/audit/AuditFragment.ts"
import { CurrentRecording, type NewAuditEntry, type Recording } from "../../../src/identity/audit/NewAuditEntry.ts"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { UserId } from "../../../src/identity/ids/UserId.ts"
import { bothAtOnce } from "../../../src/platform/sql/AtOnce.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

/** The recording of a request, a table to write to, and the contents of the table and the log. */
const recorded = Effect.fnUntraced(function*(about: Partial<NewAuditEntry> = {}) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table if not exists things (of uuid not null, n int not null, value int not null check (value < 100),
      primary key (of, n))`
  const club_id = ClubId.make(randomUUIDv7())
  const entry: NewAuditEntry = {
    id: randomUUIDv7(),
    at: new Date(0),
    club_id,
    user_id: UserId.make(randomUUIDv7()),
    key_id: null,
    operation: "things.put",
    targets: {},
    request_id: "early",
    outcome: "done",
    student_id: null,
    created_id: null,
    ...about
  }
  const recording: Recording = {
    entry,
    sql,
    isWritten: false,
    hasChanged: false,
    isOver: false
  }
  const during = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provideService(work, CurrentRecording, recording)
  const insert = (n: number, value: number) => (audit: AuditFragment) =>
    sql`${audit.with} insert into things (of, n, value) values (${club_id}, ${n}, ${value}) returning n`
  const put = (n: number, value = 1) => audited(insert(n, value))
  const log = Effect.map(
    sql`select operation, created_id from audit_log where club_id = ${club_id}`,
    (found) => found.map(({ created_id, operation }) => created_id ?? operation)
  )
  const things = Effect.map(
    sql`select n from things where of = ${club_id} order by n`,
    (found) => found.map(({ n }) => n)
  )
  return { sql, club_id, entry, recording, during, put, log, things }
})

const row = ["things.put"]

layer(PostgresLayer)("The row of the audit log that a statement has", (it) => {
  it.effect("is written with the statement, as the deed is then, and once", () =>
    Effect.gen(function*() {
      const { entry, during, log, put, recording, things } = yield* recorded()
      const made = randomUUIDv7()
      entry.created_id = made
      assert.deepStrictEqual(yield* during(put(1)), [{ n: 1 }])
      entry.created_id = randomUUIDv7()
      yield* during(put(2))
      assert.deepStrictEqual([yield* log, yield* things], [[made], [1, 2]])
      assert.deepStrictEqual([recording.isWritten, recording.hasChanged], [true, true])
    }))

  it.effect("stands in front of what the statement itself has in its `with`", () =>
    Effect.gen(function*() {
      const { club_id, during, log, sql, things } = yield* recorded()
      const found = yield* during(audited((audit) =>
        sql`
          with recursive ${audit.before} numbers (n) as (select 1 union all select n + 1 from numbers where n < 3),
            put as (insert into things (of, n, value) select ${club_id}, n, 1 from numbers returning n)
          select sum(n)::int as sum from put`
      ))
      assert.deepStrictEqual(found, [{ sum: 6 }])
      assert.deepStrictEqual([yield* log, yield* things], [row, [1, 2, 3]])
    }))

  it.effect("is not there where nothing is recorded: the statement is what its author wrote", () =>
    Effect.gen(function*() {
      const { log, put, sql, things } = yield* recorded()
      let text = ""
      yield* audited((audit) => {
        const statement = sql`with ${audit.before} one as (select 1 as n) ${audit.with}select n from one`
        text = statement.compile()[0]
        return statement
      })
      assert.strictEqual(text, "with  one as (select 1 as n) select n from one")
      yield* put(1)
      assert.deepStrictEqual([yield* log, yield* things], [[], [1]])
    }))

  it.effect("is not there if the statement fails, and is written by the next one", () =>
    Effect.gen(function*() {
      const { during, log, put, recording, things } = yield* recorded()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(during(put(1, 100)))))
      assert.deepStrictEqual([yield* log, recording.isWritten], [[], false])
      yield* during(put(2))
      assert.deepStrictEqual([yield* log, yield* things], [row, [2]])
    }))

  it.effect("fails with the statement that it is in", () =>
    Effect.gen(function*() {
      const { during, log, put, things } = yield* recorded({ operation: "" })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(during(put(1)))))
      assert.deepStrictEqual([yield* log, yield* things], [[], []])
    }))

  it.effect("is rolled back with its transaction, and written by the next", () =>
    Effect.gen(function*() {
      const { during, log, put, recording, sql, things } = yield* recorded()
      yield* Effect.exit(during(sql.withTransaction(Effect.andThen(put(1), Effect.fail("no")))))
      assert.deepStrictEqual([yield* log, yield* things], [[], []])
      yield* Effect.exit(during(sql.withTransaction(Effect.andThen(put(1), Effect.interrupt))))
      assert.deepStrictEqual(yield* log, [])
      // PostgreSQL refuses to commit a transaction in which a statement has failed.
      yield* Effect.exit(during(sql.withTransaction(Effect.andThen(put(1), Effect.exit(put(2, 100))))))
      assert.deepStrictEqual([yield* log, recording.isWritten, recording.hasChanged], [[], false, false])
      yield* during(sql.withTransaction(put(3)))
      assert.deepStrictEqual([yield* log, yield* things], [row, [3]])
    }))

  it.effect("is rolled back with its savepoint, and written by what comes after it in the transaction", () =>
    Effect.gen(function*() {
      const { during, log, put, recording, sql, things } = yield* recorded()
      const inner = (n: number) => sql.withTransaction(put(n))
      const failing = (n: number) => Effect.exit(sql.withTransaction(Effect.andThen(inner(n), Effect.fail("no"))))
      yield* during(sql.withTransaction(failing(1)))
      assert.deepStrictEqual([yield* log, recording.isWritten], [[], false])
      yield* during(sql.withTransaction(Effect.gen(function*() {
        yield* failing(1)
        assert.isFalse(recording.isWritten)
        yield* inner(2)
        assert.isTrue(recording.isWritten)
        // Its savepoint is released, so this failure does not affect it.
        yield* failing(3)
      })))
      assert.deepStrictEqual([yield* log, yield* things, recording.isWritten], [row, [2], true])
    }))

  it.effect("is one where several statements have it that are sent at once", () =>
    Effect.gen(function*() {
      const { during, log, put, sql, things } = yield* recorded()
      yield* during(sql.withTransaction(bothAtOnce(put(1), put(2))))
      assert.deepStrictEqual([yield* log, yield* things], [row, [1, 2]])
    }))

  it.effect("is written by nothing that goes on after the request", () =>
    Effect.gen(function*() {
      const { during, log, put, recording, things } = yield* recorded()
      recording.isOver = true
      yield* during(put(1))
      assert.deepStrictEqual([yield* log, yield* things], [[], [1]])
    }))

  it.effect("does not count as a change: only what the statement changes beside it does", () =>
    Effect.gen(function*() {
      const { club_id, during, log, recording, sql } = yield* recorded()
      const change = audited((audit) => sql`${audit.with} update things set value = 2 where of = ${club_id}`)
      yield* during(change)
      assert.deepStrictEqual([yield* log, recording.isWritten, recording.hasChanged], [row, true, false])
      yield* sql`insert into things (of, n, value) values (${club_id}, 1, 1)`
      yield* during(change)
      assert.isTrue(recording.hasChanged)
    }))
})
