import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Ref, Schedule } from "effect"
import { randomInt } from "node:crypto"
import { appLayer, codeOf, foundClub, send } from "../../harness/App.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { PatientRedisLayer, redisUrl, startRedis } from "../../harness/Redis.ts"

// Redis keeps its own time, so these run on the real clock and never wait for a window to close.

const proxies = { TRUSTED_PROXIES: "127.0.0.0/8,::1/128" }
const contractLimits = { RATE_LIMIT_WRITES: "60", RATE_LIMIT_CREDENTIALS: "10" }

/** A random address, because the windows of an earlier run may still be open. */
const address = () => `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1`

const signIn = (forwarded: string) =>
  send("POST", "/v1/auth/admin/sign-in", { body: {}, headers: { "x-forwarded-for": forwarded } })

describe("limits on Redis", () => {
  layer(Layer.merge(PostgresLayer, Logger.layer([])), { excludeTestServices: true })((it) => {
    it.effect("are shared by all processes", () =>
      Effect.gen(function*() {
        const database = Layer.succeedContext(yield* Effect.context<Layer.Success<typeof PostgresLayer>>())
        const process = Layer.build(Layer.fresh(Layer.provide(
          appLayer({ ...proxies, ...contractLimits, REDIS_URL: redisUrl() }, { database }),
          PatientRedisLayer
        )))
        const [one, two] = [yield* process, yield* process]
        const { path, token } = yield* Effect.provide(foundClub(), one)
        const forwarded = address()

        const patch = send("PATCH", path, { token, body: {} })
        const both = (request: typeof patch, count: number) =>
          Effect.all(
            Array.from({ length: count }, (_, n) => Effect.provide(request, n % 2 === 0 ? one : two)),
            { concurrency: "unbounded" }
          )
        const writes = yield* both(patch, 120)
        assert.strictEqual(writes.filter(({ status }) => status === 200).length, 60)
        assert.strictEqual(writes.filter(({ status }) => status === 429).length, 60)
        for (const { headers, status } of writes) {
          if (status === 429) assert.match(headers["retry-after"] ?? "", /^([1-9]|[1-5]\d|60)$/)
        }
        const credentials = yield* both(signIn(forwarded), 30)
        assert.strictEqual(credentials.filter(({ status }) => status === 422).length, 10)
      }))
  })

  layer(Logger.layer([]), { excludeTestServices: true })((it) => {
    it.effect(
      "that stops under load let writes pass, refuse credentials, and count again when it is back",
      () =>
        Effect.gen(function*() {
          const redis = yield* startRedis()
          const app = yield* Layer
            .build(Layer.provide(appLayer({ ...proxies, REDIS_URL: redis.url }), PatientRedisLayer))
          yield* Effect.gen(function*() {
            const { path, token } = yield* foundClub()
            const patch = send("PATCH", path, { token, body: {} })
            assert.isDefined((yield* patch).headers["ratelimit"])
            const forwarded = address()

            const stopped = yield* Ref.make(false)
            const worker = Effect.gen(function*() {
              const statuses = new Set<number>()
              do statuses.add((yield* patch).status)
              while (!(yield* Ref.get(stopped)))
              return statuses
            })
            const load = yield* Effect
              .forkChild(Effect.all(Array.from({ length: 10 }, () => worker), { concurrency: "unbounded" }))
            yield* redis.stop

            const refused = yield* Effect.all(Array.from({ length: 20 }, () => signIn(forwarded)), { concurrency: 5 })
            assert.deepStrictEqual(
              refused.map((answer) => [answer.status, codeOf(answer), answer.headers["retry-after"]]),
              refused.map(() => [503, "rate_limit_unavailable", "5"])
            )
            const uncounted = yield* patch
            assert.deepStrictEqual([uncounted.status, uncounted.headers["ratelimit"]], [200, undefined])
            const ready = yield* send("GET", "/v1/health/ready")
            const checks = { database: "ok", limiter: "failing", queue: "ok", clock: "ok", seals: "ok" }
            assert.deepStrictEqual([ready.status, ready.json], [200, { data: { status: "degraded", checks } }])

            yield* startRedis({ port: redis.port })
            yield* signIn(forwarded)
              .pipe(Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: ({ status }) => status !== 503 }))
            assert.isDefined((yield* patch).headers["ratelimit"])
            yield* Ref.set(stopped, true)
            for (const statuses of yield* Fiber.join(load)) assert.deepStrictEqual([...statuses], [200])
          }).pipe(Effect.provide(app))
        })
    )
  })
})
