import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { version } from "../../../src/platform/version.ts"
import { leaseOfWorker, workerMark } from "../../../src/webhooks/engine/dispatch/WorkerOfLease.ts"
import { EndpointId } from "../../../src/webhooks/model/EndpointId.ts"
import { blocks, guide } from "../../guides/Guides.ts"
import { AppLayer, appLayer, at, codeOf, foundClub, listAt, send } from "../../harness/App.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { makeDelivery } from "../../harness/Webhooks.ts"

const secret = "a-long-random-text"
const path = "/internal/overview"
const overview = send("GET", path, { token: secret })
const OverviewLayer = Partitions.layer.pipe(Layer.provideMerge(appLayer({ INTERNAL_SECRET: secret })))

/** The names of all fields. A list has those of its first item. */
const shapeOf = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.slice(0, 1).map(shapeOf)
  if (typeof json !== "object" || json === null) return null
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, shapeOf(value)]))
}

const queueOf = (json: unknown, name: string) => listAt(json, "data", "queues").find((one) => at(one, "name") === name)

const makeEndpoint = Effect.fnUntraced(function*(club: Effect.Success<ReturnType<typeof foundClub>>, url: string) {
  const { json, status, text } = yield* send("POST", `${club.path}/webhook-endpoints`, {
    token: club.token,
    body: { url, event_types: ["student.created"], description: "Descrição secreta" }
  })
  assert.strictEqual(status, 201, text)
  return EndpointId.make(String(at(json, "data", "id")))
})

const mark = workerMark(4321, "00000000-0000-4000-8000-00000000beef")

/** The id of a lease that a worker got at this moment. */
const leaseAt = (since: DateTime.Utc) => {
  const millis = DateTime.toEpochMillis(since).toString(16).padStart(12, "0")
  return leaseOfWorker(`${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-000000000000`, mark)
}

layer(AppLayer)("The overview, without a secret", (it) => {
  it.effect("is no route at all", () =>
    Effect.gen(function*() {
      const answer = yield* send("GET", path, { token: secret })
      assert.deepStrictEqual([answer.status, codeOf(answer)], [404, "not_found"])
    }))
})

layer(OverviewLayer)("The overview", (it) => {
  it.effect("is for who holds the secret, and for no administrator", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      for (const sent of [{}, { token: "guess" }, { token: club.token }]) {
        const answer = yield* send("GET", path, sent)
        assert.deepStrictEqual([answer.status, codeOf(answer)], [401, "unauthenticated"])
      }
      const { headers, status } = yield* overview
      assert.deepStrictEqual([status, headers["cache-control"]], [200, "no-store"])
    }))

  it.effect("says of every queue how much waits and since when, and what the process stands on", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2026-11-25T12:00:00Z"))
      const mailer = yield* Mailer
      yield* mailer.enqueue({ recipient: "ana@example.com", subject: "Assunto secreto", text: "Texto", html: "Texto" })
      yield* TestClock.adjust("90 seconds")
      const { json } = yield* overview
      assert.deepStrictEqual(queueOf(json, "mails"), {
        name: "mails",
        depth: 1,
        capped: false,
        oldest_at: "2026-11-25T12:00:00.000Z",
        oldest_seconds: 90
      })
      assert.sameMembers(listAt(json, "data", "queues").map((one) => at(one, "name")), [
        "answers",
        "billing_changes",
        "billing_events",
        "course_losses",
        "credential_requests",
        "events",
        "free_deliveries",
        "inbound_events",
        "live_announcements",
        "mails",
        "material",
        "notification_mails",
        "removed_files",
        "student_imports",
        "webhook_lanes",
        "webhook_gradings",
        "webhook_recoveries"
      ])
      const one = ["version", "now", "pid", "processes", "database", "redis"].map((name) => at(json, "data", name))
      assert.deepStrictEqual(one, [
        version,
        "2026-11-25T12:01:30.000Z",
        process.pid,
        [{ pid: process.pid, answers: true }],
        { reachable: true },
        null
      ])
      assert.isAbove(Number(at(json, "data", "pool", "exclusive", "connections")), 0)
      assert.isAbove(Number(at(json, "data", "pool", "shared", "connections")), 0)
    }))

  it.effect("counts ten thousand at most, and says where there are more", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const insert = (count: number) =>
        sql`
          insert into billing_events (
            id, type, object_id, occurred_at, received_at, status, next_attempt_at, listed
          )
          select gen_random_uuid(), 'many', 'many', ${now}, ${now}, 'pending', ${now}, false
          from generate_series(1, ${count})`
      yield* insert(10_000)
      const depth = Effect.map(overview, ({ json }) => queueOf(json, "billing_events"))
      const before = yield* depth
      assert.deepStrictEqual([at(before, "depth"), at(before, "capped")], [10_000, false])
      yield* insert(5_000)
      const after = yield* depth
      assert.deepStrictEqual([at(after, "depth"), at(after, "capped")], [10_000, true])
    }))

  it.effect("counts no endpoint as held that is paused or deleted: nothing is sent to it again", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const [paused, deleted] = [
        yield* makeEndpoint(club, "https://93.184.215.14/um"),
        yield* makeEndpoint(club, "https://93.184.215.14/dois")
      ]
      const count = Effect.map(overview, ({ json }) => at(json, "data", "webhooks", "held", "count"))
      const before = Number(yield* count)
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        update webhook_lanes set holds = 1, failing_since = ${now}, hold_until = ${now}, due_at = null
        where club_id = ${club.id}`
      assert.strictEqual(yield* count, before + 2)
      const of = (id: EndpointId) => `${club.path}/webhook-endpoints/${id}`
      yield* send("PATCH", of(paused), { token: club.token, body: { status: "paused" } })
      yield* send("DELETE", of(deleted), { token: club.token })
      assert.strictEqual(yield* count, before)
    }))

  it.effect("names held endpoints, those that have failed longest first, and the workers that have lanes", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const now = yield* DateTime.now
      const ago = (minutes: number) => DateTime.subtractDuration(now, Duration.minutes(minutes))
      const [first, second, third] = yield* Effect.all([
        makeEndpoint(club, "https://93.184.215.14/um"),
        makeEndpoint(club, "https://93.184.215.14/dois"),
        makeEndpoint(club, "https://93.184.215.14/tres")
      ])
      for (const [id, minutes] of [[second, 90], [first, 10]] as const) {
        yield* sql`
          update webhook_lanes set holds = 2, failing_since = ${DateTime.toDateUtc(ago(minutes))}, due_at = null,
            hold_until = ${DateTime.toDateUtc(now)}
          where club_id = ${club.id} and endpoint_id = ${id}`
      }
      const since = DateTime.makeUnsafe(DateTime.toEpochMillis(now) - 5000)
      const until = DateTime.addDuration(now, Duration.seconds(25))
      yield* makeDelivery({ club_id: club.id, endpoint_id: third })
      yield* sql`
        update webhook_lanes set lease_id = ${leaseAt(since)}, due_at = ${DateTime.toDateUtc(until)}
        where club_id = ${club.id} and endpoint_id = ${third}`
      const { json } = yield* overview
      const held = (endpoint_id: string, minutes: number) => ({
        club_id: club.organization_id,
        endpoint_id,
        holds: 2,
        failing_since: DateTime.formatIso(ago(minutes)),
        hold_until: DateTime.formatIso(now)
      })
      assert.deepStrictEqual(at(json, "data", "webhooks", "held"), {
        count: 2,
        capped: false,
        longest: [held(second, 90), held(first, 10)]
      })
      const [example = ""] = blocks(guide("watching"), "json")
      assert.deepStrictEqual(shapeOf(json), shapeOf(JSON.parse(example)))
      assert.deepStrictEqual(at(json, "data", "webhooks", "leases"), {
        capped: false,
        workers: [{
          worker: mark,
          pid: 4321,
          lanes: 1,
          since: DateTime.formatIso(since),
          until: DateTime.formatIso(until)
        }]
      })
    }))

  it.effect("names the lanes where most waits, the deepest first: held until when, and who has which until when", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      yield* TestClock.setTime(Date.parse("2026-11-25T13:00:00Z"))
      const now = yield* DateTime.now
      const iso = (seconds: number) => DateTime.formatIso(DateTime.addDuration(now, Duration.seconds(seconds)))
      const make = Effect.fnUntraced(function*(path: string, depth: number) {
        const endpoint_id = yield* makeEndpoint(club, `https://93.184.215.14/${path}`)
        for (let n = 0; n < depth; n++) yield* makeDelivery({ club_id: club.id, endpoint_id })
        return endpoint_id
      })
      const [leased, due, held] = [yield* make("um", 2), yield* make("dois", 1), yield* make("tres", 3)]
      yield* make("vazio", 0)
      yield* TestClock.adjust("20 seconds")
      const set = (id: string, columns: Record<string, unknown>) =>
        sql`update webhook_lanes set ${sql.update(columns)} where club_id = ${club.id} and endpoint_id = ${id}`
      yield* set(leased, { lease_id: leaseAt(now), due_at: new Date(iso(45)) })
      yield* set(held, { holds: 1, failing_since: new Date(iso(0)), due_at: null, hold_until: new Date(iso(60)) })
      const of = (endpoint_id: string, depth: number, rest: Readonly<Record<string, unknown>> = {}) => ({
        club_id: club.organization_id,
        endpoint_id,
        depth,
        capped: false,
        oldest_pending_at: iso(0),
        due_at: iso(0),
        hold_until: null,
        leased_until: null,
        worker: null,
        pid: null,
        ...rest
      })
      const { json } = yield* overview
      assert.deepStrictEqual(
        listAt(json, "data", "webhooks", "lanes").filter((one) => at(one, "club_id") === club.organization_id),
        [
          of(held, 3, { hold_until: iso(60) }),
          of(leased, 2, { leased_until: iso(45), worker: mark, pid: 4321 }),
          of(due, 1)
        ]
      )
    }))

  it.effect("says what became of attempts by quarters of an hour, of all endpoints together", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      yield* TestClock.setTime(Date.parse("2026-11-26T12:05:00Z"))
      for (const path of ["um", "dois"]) {
        const endpoint_id = yield* makeEndpoint(club, `https://93.184.215.14/${path}`)
        for (const [at, accepted, failed, given_up] of [["12:00", 30, 3, 1], ["11:45", 90, 9, 0], ["10:45", 7, 7, 7]]) {
          yield* sql`
            insert into webhook_counts
            select ${club.id}, ${endpoint_id}, ${new Date(`2026-11-26T${at}:00Z`)}::timestamptz, ${accepted}::int,
              ${failed}::int, ${given_up}::int${sql.literal(", 0".repeat(25))}`
        }
      }
      const { json } = yield* overview
      const quarter = (time: string, seconds: number, accepted = 0, failed = 0, given_up = 0) => ({
        at: `2026-11-26T${time}:00.000Z`,
        seconds,
        accepted,
        failed,
        given_up,
        capped: false,
        per_second: {
          accepted: Math.round(accepted / seconds * 100) / 100,
          failed: Math.round(failed / seconds * 100) / 100
        }
      })
      assert.deepStrictEqual(at(json, "data", "webhooks", "attempts"), [
        quarter("12:00", 300, 60, 6, 2),
        quarter("11:45", 900, 180, 18),
        quarter("11:30", 900),
        quarter("11:15", 900),
        quarter("11:00", 900)
      ])
    }))

  it.effect("counts the facts that were recorded, so that two readings tell how many there are a second", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const student = yield* makeStudent(club)
      const recorded = Effect.andThen(
        sql`select pg_stat_force_next_flush()`,
        Effect.map(overview, ({ json }) => Number(at(json, "data", "events", "recorded")))
      )
      const before = yield* recorded
      // PostgreSQL counts a transaction's statements at its end, and publishes them after the statement that asks.
      yield* sql.withTransaction(Effect.andThen(
        sql`
          insert into event_outbox (club_id, id, type, student_id, subject, occurred_at, due_at)
          select ${club.id}, gen_random_uuid(), 'student.created', ${student.id}, '{}', at, at
          from (select ${new Date("2100-01-01")}::timestamptz as at from generate_series(1, 7)) made`,
        sql`select pg_stat_force_next_flush()`
      ))
      assert.strictEqual((yield* recorded) - before, 7)
    }))

  it.effect("has nothing personal, no address of a receiver and no internal id", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const sql = yield* SqlClient.SqlClient
      const planted = [
        "Zuleica Segredo",
        "zuleica@secreto.example.com",
        "93.184.215.14",
        "secreto-receptor",
        "Descrição secreta"
      ]
      const endpoint = yield* makeEndpoint(club, "https://93.184.215.14/secreto-receptor?token=abc")
      yield* send("POST", `${club.path}/students`, {
        token: club.token,
        body: { name: planted[0], email: planted[1], send_invite: true }
      })
      yield* sql`
        update webhook_lanes set holds = 1, failing_since = ${DateTime.toDateUtc(yield* DateTime.now)}
        where club_id = ${club.id} and endpoint_id = ${endpoint}`
      yield* makeDelivery({ club_id: club.id, endpoint_id: endpoint })
      const { text } = yield* overview
      assert.include(text, endpoint)
      assert.include(text, club.organization_id)
      for (const word of [...planted, "@", "http", "secret", club.id, club.owner.name, "Violão"]) {
        assert.notInclude(text, word)
      }
    }))
})
