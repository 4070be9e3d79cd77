import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { freeze } from "../harness/Freeze.ts"
import { startOwnPostgres } from "../harness/OwnPostgres.ts"
import { type Answer, ask, post, startApi, startTurma } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"

// Takes long: in real time, it waits for the limits of requests and of a shutdown.

const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

/** A PostgreSQL that the test can freeze, and the variables of a process that uses it. */
const ownDatabase = Effect.map(startOwnPostgres, ({ directory, url }) => ({
  freeze: freeze(`${directory}/cluster`),
  env: { DATABASE_URL: Redacted.value(url), APP_SECRET_KEY }
}))

const secondsOf = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const start = yield* Clock.currentTimeMillis
  const answer = yield* work
  return [answer, ((yield* Clock.currentTimeMillis) - start) / 1000] as const
})

const signUp = JSON.stringify({ name: "Ana", email: "ana@user.example", password: "violao e voz" })

const me = (url: string) => ask(`${url}/v1/me`, { headers: { authorization: `Bearer ${"a".repeat(43)}` } })

const isUnavailable = ([answer, seconds]: readonly [Answer, number]) => {
  assert.deepStrictEqual(
    [answer.status, Object(answer.json).error?.code],
    [503, "temporarily_unavailable"],
    answer.text
  )
  assert.match(answer.headers.get("x-request-id") ?? "", /^[\w-]{36}$/)
  assert.isBelow(seconds, 15)
}

const endsWell = Effect.fnUntraced(function*(turma: Effect.Success<ReturnType<typeof startTurma>>) {
  const [{ code, stderr }, seconds] = yield* secondsOf(turma.end())
  assert.deepStrictEqual([code, stderr], [0, ""])
  assert.isBelow(seconds, 20)
})

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "While PostgreSQL is frozen",
  (it) => {
    it.effect(
      "every request is answered within 15 seconds, and the process ends within 20",
      () =>
        Effect.gen(function*() {
          const { env, freeze } = yield* ownDatabase
          const turma = yield* startApi({ env })
          assert.strictEqual((yield* me(turma.url)).status, 401)
          assert.strictEqual((yield* post(`${turma.url}/v1/auth/admin/sign-up`, signUp)).status, 202)
          yield* freeze
          const [read, write, ready] = yield* Effect.all([
            secondsOf(me(turma.url)),
            secondsOf(post(`${turma.url}/v1/auth/admin/sign-up`, signUp)),
            secondsOf(ask(`${turma.url}/v1/health/ready`))
          ], { concurrency: "unbounded" })
          isUnavailable(read)
          isUnavailable(write)
          assert.strictEqual(ready[0].status, 503)
          assert.isBelow(ready[1], 15)
          assert.strictEqual((yield* ask(`${turma.url}/v1/health`)).status, 200)
          yield* endsWell(turma)
        })
    )

    it.effect("a request in flight is answered also when the process is told to end", () =>
      Effect.gen(function*() {
        const { env, freeze } = yield* ownDatabase
        const turma = yield* startApi({ env: { ...env, ROLE: "api" } })
        yield* freeze
        const [read] = yield* Effect.all([secondsOf(me(turma.url)), Effect.delay(endsWell(turma), "1 second")], {
          concurrency: "unbounded"
        })
        isUnavailable(read)
      }))

    it.effect("a worker ends within 20 seconds", () =>
      Effect.gen(function*() {
        const { env, freeze } = yield* ownDatabase
        const worker = yield* startTurma({ env: { ...env, ROLE: "worker" } })
        yield* worker.until("worker is ready")
        yield* freeze
        // By then each of its loops has sent a statement.
        yield* Effect.sleep("3 seconds")
        yield* endsWell(worker)
      }))
  }
)

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "While the embedded PostgreSQL is frozen",
  (it) => {
    it.effect(
      "the process ends within 20 seconds, and the next one finds what was there",
      () =>
        Effect.gen(function*() {
          const DATA_DIR = yield* postgresFolder()
          const turma = yield* startApi({ env: { DATA_DIR } })
          assert.strictEqual((yield* post(`${turma.url}/v1/auth/admin/sign-up`, signUp)).status, 202)
          yield* Effect.scoped(Effect.gen(function*() {
            yield* freeze(`${DATA_DIR}/postgres/cluster`)
            isUnavailable(yield* secondsOf(me(turma.url)))
            yield* endsWell(turma)
          }))
          const next = yield* startApi({ env: { DATA_DIR } })
          assert.strictEqual((yield* me(next.url)).status, 401)
          yield* endsWell(next)
        })
    )
  }
)
