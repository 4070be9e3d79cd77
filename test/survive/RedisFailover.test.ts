import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Redis } from "../../src/platform/redis/Redis.ts"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startRedis } from "../harness/Redis.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, post, startApi } from "../harness/Turma.ts"
import { foundClub } from "./Club.ts"
import { redisOn, startRedisPair } from "./RedisPair.ts"
import { startWay } from "./Way.ts"

const isOk = (redis: Redis["Service"]) =>
  Effect.match(redis.send("INCR", "counter"), { onSuccess: () => true, onFailure: () => false })

layer(Layer.empty, { excludeTestServices: true })(
  "When a Redis is no primary any more",
  (it) => {
    it.effect("its connection is left, and the next one goes to who has the address by then", () =>
      Effect.gen(function*() {
        const [old, next] = [yield* startRedis(), yield* startRedis()]
        const way = yield* startWay(old.port)
        const redis = yield* redisOn(`redis://127.0.0.1:${way.port}`)
        assert.isTrue(yield* isOk(redis))
        yield* redis.send("REPLICAOF", "127.0.0.1", next.port)
        const refused = yield* Effect.flip(redis.send("INCR", "counter"))
        assert.match(refused.detail, /^READONLY/)
        yield* way.moveTo(next.port)
        const from = yield* Clock.currentTimeMillis
        yield* eventually(Effect.delay(isOk(redis), "20 millis"), (ok) => ok)
        assert.isBelow((yield* Clock.currentTimeMillis) - from, 5_000)
      }))
  }
)

/** Writes per minute that a club has in this test, and the default limit of credentials. */
const writes = 200
const credentials = 10

/** `beside` names the Redis that was there at the request. */
interface Write {
  readonly beside: "primary" | "nobody" | "replica"
  readonly status: number
  /** Number of further writes allowed; undefined if the write was not counted. */
  readonly remaining: number | undefined
}

const remainingOf = (headers: Headers) => {
  const [, remaining] = /"club-writes";r=(\d+)/.exec(headers.get("ratelimit") ?? "") ?? []
  return remaining === undefined ? undefined : Number(remaining)
}

/** A service and a club in it. It counts in the Redis of a pair, at an address that can move. */
const started = Effect.gen(function*() {
  const pair = yield* startRedisPair
  const way = yield* startWay(pair.primary.port)
  const smtp = yield* startSmtp()
  const api = yield* startApi({
    env: {
      DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      SMTP_URL: Redacted.value(smtp.url),
      REDIS_URL: `redis://127.0.0.1:${way.port}`,
      RATE_LIMIT_WRITES: `${writes}`
    }
  })
  const { token, url } = yield* foundClub(api.url, smtp.received)
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const written = Effect.map(
    ask(url, { method: "PATCH", body: "{}", headers }),
    ({ headers, status }) => ({ status, remaining: remainingOf(headers) })
  )
  const answered = (path: string) =>
    Effect.map(
      post(`${api.url}/v1/auth/${path}`, {}),
      ({ json, status }) => ({ status, code: at(json, "error", "code") })
    )
  return {
    ...pair,
    way,
    api,
    written,
    signIn: Effect.repeat(answered("sign-in"), { until: ({ status }) => status !== 503 }),
    /** The routes where students and administrators prove their identity. */
    credentials: Effect.forEach(["sign-in", "exchange", "admin/sign-in"], answered),
    readiness: Effect.map(ask(`${api.url}/v1/health/ready`), ({ json, status }) => ({
      status,
      says: at(json, "data", "status"),
      limiter: at(json, "data", "checks", "limiter")
    }))
  }
})

const uncountable = { status: 503, code: "rate_limit_unavailable" }
const degraded = { status: 200, says: "degraded", limiter: "failing" }
const ready = { status: 200, says: "ready", limiter: "ok" }

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { concurrent: true, excludeTestServices: true })(
  "When the Redis in which a service counts is killed and its replica is promoted",
  (it) => {
    it.effect("writes pass, credentials are refused, and counting goes on from what the replica knew, each time", () =>
      Effect.gen(function*() {
        const { api, comeBack, credentials: asked, primary, readiness, replica, signIn, way, written } = yield* started
        // A late answer of Redis makes it degraded for a moment.
        const untilReady = eventually(Effect.delay(readiness, "20 millis"), ({ says }) => says === "ready")
        assert.deepStrictEqual(yield* untilReady, ready)

        // The old one is back at the address as a replica that only reads, and counts nothing.
        yield* primary.keepCounts
        const before = yield* primary.count("club-writes")
        yield* eventually(Effect.delay(replica.count("club-writes"), "20 millis"), (count) => count === before)
        yield* primary.stop
        yield* replica.promote
        const next = yield* comeBack
        for (let round = 0; round < 10; round++) {
          assert.deepStrictEqual(yield* written, { status: 200, remaining: undefined })
          assert.deepStrictEqual(yield* asked, [uncountable, uncountable, uncountable])
          assert.deepStrictEqual(yield* readiness, degraded)
        }
        // The old Redis lives on, so the connections to it stay open.
        yield* way.moveTo(replica.port)
        const { remaining } = yield* eventually(
          Effect.delay(written, "20 millis"),
          ({ remaining }) => remaining !== undefined
        )
        assert.isAtMost(remaining ?? writes, writes - before - 1)
        assert.deepStrictEqual(yield* untilReady, ready)

        // Now the second one is killed, and the first one knows what it knew.
        const now = replica
        const answers: Array<Write> = []
        let beside: Write["beside"] = "primary"
        const of = (which: Write["beside"]) => answers.filter((answer) => answer.beside === which)
        const soon = <A>(question: () => A, isExpected: (answer: A) => boolean) =>
          eventually(Effect.delay(Effect.sync(question), "20 millis"), isExpected)
        const write = Effect.suspend(() => {
          const meanwhile = beside
          return Effect.map(written, (answer) => void answers.push({ ...answer, beside: meanwhile }))
        })
        yield* written
        yield* now.keepCounts
        yield* Effect
          .forkScoped(Effect.replicateEffect(Effect.forever(Effect.delay(write, "20 millis")), 4, { concurrency: 4 }))
        yield* soon(() => of("primary").length, (count) => count >= 40)

        yield* now.stop
        beside = "nobody"
        yield* soon(() => of("nobody").length, (count) => count >= 40)
        assert.deepStrictEqual(yield* asked, [uncountable, uncountable, uncountable])
        assert.deepStrictEqual(yield* readiness, degraded)
        for (const { remaining, status } of of("nobody")) assert.deepStrictEqual([status, remaining], [200, undefined])

        const known = { writes: yield* next.count("club-writes"), credentials: yield* next.count("credentials") }
        assert.isAtLeast(known.writes, 20)
        assert.isAtLeast(known.credentials, 3)
        yield* next.promote
        yield* way.moveTo(next.port)
        beside = "replica"
        yield* untilReady
        yield* soon(() => of("replica").some(({ status }) => status === 429), (isUsedUp) => isUsedUp)

        const others = answers.filter(({ status }) => status !== 200 && status !== 429)
        assert.deepStrictEqual([others, of("primary").filter(({ status }) => status !== 200)], [[], []])
        const counted = answers.flatMap(({ beside, remaining, status }) =>
          beside !== "primary" && status === 200 && remaining !== undefined ? [remaining] : []
        )
        assert.strictEqual(new Set(counted).size, counted.length)
        assert.isAtLeast(counted.length, 1)
        assert.isAtMost(Math.max(...counted), writes - known.writes - 1)

        const tried = yield* Effect.replicateEffect(signIn, credentials + 1)
        const passed = tried.filter(({ status }) => status === 422).length
        assert.isAtLeast(passed, 1)
        assert.isAtMost(passed, credentials - known.credentials)
        assert.deepStrictEqual(tried.at(-1), { status: 429, code: "rate_limited" })
        assert.strictEqual((yield* api.end()).code, 0)
      }))
  }
)
