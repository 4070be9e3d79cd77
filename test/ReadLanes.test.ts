import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { OnBehalfOf } from "../src/platform/sql/Connections.ts"
import { lookingUp, scanning } from "../src/platform/sql/ReadLane.ts"
import { AppLayer, at, foundClub, keyOf, send } from "./harness/App.ts"
import { whileHeld } from "./harness/Waiting.ts"
import { makeEndpoint } from "./harness/Webhooks.ts"

const nowhere = "00000000-0000-7000-8000-000000000000"

/** The server processes that serve a lane. Each of the two clubs uses one at a time. */
const backendsOf = Effect.fnUntraced(function*(inLane: typeof scanning) {
  const sql = yield* SqlClient.SqlClient
  const asked = inLane(sql`select pg_backend_pid() as pid, pg_sleep(0.05)::text`)
  const found = yield* Effect.forEach(["one", "other"], (key) => Effect.provideService(asked, OnBehalfOf, key), {
    concurrency: "unbounded"
  })
  return new Set(found.flat().map(({ pid }) => Number(pid)))
})

/** The last statement of each of these processes, in one line. */
const lastOf = Effect.fnUntraced(function*(pids: ReadonlySet<number>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql
    .withTransaction(sql`select pid, query from pg_stat_activity where datname = current_database()`)
  return rows.filter(({ pid }) => pids.has(Number(pid))).map(({ query }) => String(query).replaceAll(/\s+/g, " "))
})

/** Lists that run in the lane of scans, by their path below the club and a part of their statement. */
const scans: ReadonlyArray<readonly [path: string, text: string]> = [
  ["/students?search=ana", "from students s"],
  ["/students?active=true", "from enrollments e"],
  ["/media?search=ana", "from media m"],
  ["/media?kind=video&favorite=true", "from media m"],
  ["/events?type=student.created", "webhook_feed_events"],
  ["/audit-log?outcome=refused", "from audit_log a"],
  [`/audit-log?user_id=${nowhere}`, "from audit_log a"],
  [`/audit-log/reads?key_id=${nowhere}`, "from audit_reads"],
  ["/gamification/levels/spread", "from point_totals t"],
  ["/gamification/ranking?period=30d", "from point_days"],
  ["/assistant/usage", "from comments"],
  [`/assistant/questions?lesson_id=${nowhere}`, "from messages r"],
  [`/assistant/questions?student_id=${nowhere}&status=failed`, "from messages r"],
  ["/unmapped-products", "from unmapped_products"],
  ["/webhook-endpoints/series?window=7d", "from webhook_counts c"],
  ["/webhook-endpoints/diagnoses", "select e.id as endpoint_id, e.status, e.disabled_reason"],
  ["/webhook-deliveries?event_type=student.created", "from webhook_deliveries d"],
  ["/webhook-endpoints/{endpoint}/deliveries?status=failed", "from webhook_deliveries d"],
  ["/webhook-endpoints/{endpoint}/stats?window=24h", "percentile_disc"],
  ["/webhook-endpoints/{endpoint}/series?window=7d", "width_bucket(c.at"],
  ["/webhook-endpoints/{endpoint}/diagnosis", "from webhook_deliveries d"],
  ["/webhook-endpoints/{endpoint}/drain", "drain_rate"],
  ["/webhook-endpoints/{endpoint}/recover?since=1970-01-01T00:00:00Z", "with unsent as"],
  [`/assignments/submissions?status=pending&lesson_id=${nowhere}`, "from submissions s"],
  [`/comments?state=pending&lesson_id=${nowhere}`, "to_jsonb(shown) as comment"],
  ["/comments/moderation?state=reported", "to_jsonb(shown) as comment"]
]

layer(AppLayer)("What a request asks of the database", (it) => {
  it.effect.each(scans)("%s is a scan: %s", ([path, text]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { endpoint_id } = yield* makeEndpoint(club)
      const pids = yield* backendsOf(scanning)
      const answer = yield* send("GET", `${club.path}${path.replace("{endpoint}", endpoint_id)}`, { token: club.token })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.isTrue((yield* lastOf(pids)).some((query) => query.includes(text)), (yield* lastOf(pids)).join("\n"))
    }))

  it.effect.each([
    "/students",
    "/audit-log",
    "/webhook-deliveries",
    "/events",
    "/comments",
    "/media",
    "/assistant/questions"
  ])(
    "%s without a filter is none",
    (path) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const pids = yield* backendsOf(scanning)
        assert.strictEqual((yield* send("GET", `${club.path}${path}`, { token: club.token })).status, 200)
        for (const query of yield* lastOf(pids)) assert.match(query, /^select pg_backend_pid/)
      })
  )

  it.effect("looks sessions and keys up where nothing else is read, and the readiness too", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const key = yield* keyOf(club)
      const pids = yield* backendsOf(lookingUp)
      const asked: ReadonlyArray<readonly [path: string, token: string | undefined, text: string]> = [
        ["/v1/me", club.token, "from user_sessions s"],
        [`${club.path}/community`, key.token, "from club_key_tokens t"],
        ["/v1/health/ready", undefined, "due_at"]
      ]
      for (const [path, token, text] of asked) {
        const { status } = yield* send("GET", path, token === undefined ? {} : { token })
        assert.strictEqual(status, 200)
        assert.isTrue((yield* lastOf(pids)).every((query) => query.includes(text)), (yield* lastOf(pids)).join("\n"))
      }
    }))
})

/** A search of a club, and a slow statement that takes its place until the test ends it. */
const searching = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundClub()
  const search = send("GET", `${club.path}/students?search=ana`, { token: club.token })
  const held = Effect.provideService(scanning(sql`select pg_sleep(60)::text as held`), OnBehalfOf, club.id)
  return { club, held, search }
})

const refusal = ({ headers, json, status }: Effect.Success<ReturnType<typeof send>>) => [
  status,
  at(json, "error", "code"),
  headers["retry-after"]
]

layer(AppLayer, { excludeTestServices: true })("A search", (it) => {
  it.effect("that finds as many waiting as may wait is told when to come again", () =>
    Effect.gen(function*() {
      const { club, held, search } = yield* searching
      const waiting = yield* Effect.forEach(
        Array.from({ length: 33 }),
        () => Effect.forkChild(held, { startImmediately: true })
      )
      assert.deepStrictEqual(refusal(yield* search), [503, "temporarily_unavailable", "2"])
      // The club's other requests get an answer, and so does every list without a scan.
      for (const path of ["/v1/me", `${club.path}/students`, "/v1/health/ready"]) {
        assert.strictEqual((yield* send("GET", path, { token: club.token })).status, 200)
      }
      yield* Effect.forEach(waiting, Fiber.interrupt, { concurrency: "unbounded" })
      assert.strictEqual((yield* search).status, 200)
    }))

  it.effect("that takes the database too long is told so, and to ask for less", () =>
    Effect.gen(function*() {
      const { club } = yield* searching
      const sql = yield* SqlClient.SqlClient
      // The statement waits for a locked table, and that wait counts too.
      const answer = yield* whileHeld(
        sql`lock table media in access exclusive mode`,
        send("GET", `${club.path}/media?search=ana`, { token: club.token })
      )
      assert.deepStrictEqual(refusal(answer), [503, "temporarily_unavailable", "2"])
      assert.match(String(at(answer.json, "error", "message")), /ask for less/)
    }))
})
