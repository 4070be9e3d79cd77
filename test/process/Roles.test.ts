import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted, Schedule } from "effect"
import { freePort } from "../harness/FreePort.ts"
import { isRefused } from "../harness/HalfRequest.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { redisUrl } from "../harness/Redis.ts"
import { ask, post, postCounted, startApi, startTurma } from "../harness/Turma.ts"

const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

const anaSignsUp = { name: "Ana", email: "ana@user.example", password: "violao e voz" }

/** The variables that all processes of one installation share. */
const installation = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const DATABASE_URL = Redacted.value(yield* freshDatabaseUrl)
  const DATA_DIR = yield* fs.makeTempDirectoryScoped()
  return { DATABASE_URL, DATA_DIR, APP_SECRET_KEY, REDIS_URL: redisUrl(), RATE_LIMIT_CREDENTIALS: "1000" }
})

/** Repeats the sign-up while Redis is late: the service waits 250 ms for it. */
const anaSignsUpAt = (url: string) =>
  Effect.repeat(post(`${url}/v1/auth/admin/sign-up`, anaSignsUp), {
    until: ({ status }) => status !== 503,
    schedule: Schedule.spaced("50 millis")
  })

const requestsWaiting = (url: string) =>
  PgConnection.make({ url: Redacted.make(url) }).pipe(
    Effect.flatMap((connection) => connection.query("select count(*)::int as count from credential_requests")),
    Effect.map(({ rows }) => rows[0]?.["count"]),
    Effect.scoped
  )

/** The link in the first mail in the folder. */
const mailedLink = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const files = yield* Effect.orElseSucceed(fs.readDirectory(`${folder}/mail`), (): Array<string> => [])
  const file = files.find((name) => name.endsWith(".eml"))
  if (file === undefined) return undefined
  return /^X-Link: (\S+)\r?$/m.exec(yield* fs.readFileString(`${folder}/mail/${file}`))?.[1]
})

const untilMailed = (folder: string) =>
  Effect.repeat(mailedLink(folder), { until: (link) => link !== undefined, schedule: Schedule.spaced("50 millis") })

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "Processes that share the work",
  (it) => {
    it.effect("take a sign-up at the API, leave it to the worker, which opens no port, and are not warned with Redis", () =>
      Effect.gen(function*() {
        const env = yield* installation
        const first = yield* startApi({ env: { ...env, ROLE: "api" } })
        const signedUp = yield* anaSignsUpAt(first.url)
        assert.strictEqual(signedUp.status, 202, first.said.stdout)
        yield* first.end()
        // A worker looks for work as soon as it starts.
        const api = yield* startApi({ env: { ...env, ROLE: "api" } })
        yield* ask(`${api.url}/v1/health/ready`)
        assert.strictEqual(yield* requestsWaiting(env.DATABASE_URL), 1)
        assert.notInclude(api.said.stdout, "REDIS_URL")

        const port = yield* freePort
        const worker = yield* startTurma({ env: { ...env, ROLE: "worker", PORT: `${port}` } })
        yield* worker.until("worker is ready")
        const link = new URL((yield* untilMailed(env.DATA_DIR)) ?? "")
        assert.isTrue(yield* isRefused(port))
        const token = link.searchParams.get("token")
        const confirmed = yield* postCounted(`${api.url}/v1/auth/admin/confirm`, { token })
        assert.deepStrictEqual(confirmed.json, { data: { verified: true } })
        assert.include(worker.said.stdout, "SMTP_URL is unset, so no mail leaves: each is a file in")
        assert.strictEqual((yield* worker.end()).code, 0)
        assert.include(worker.said.stdout, "Stopping: work in hand is finished first")
      }))

    it.effect("say that they run from their sources where they do", () =>
      Effect.gen(function*() {
        const worker = yield* startTurma({
          args: ["src/main.ts"],
          env: { ...(yield* installation), ROLE: "worker", LOG_FORMAT: "json" }
        })
        yield* worker.until("Runs from its sources")
        const lines = worker.said.stdout.split("\n").filter((line) => line.includes("from its sources"))
        assert.strictEqual(lines.length, 1, worker.said.stdout)
        assert.include(lines[0], "npm run bundle")
      }))

    it.effect("are warned where they would count requests by themselves", () =>
      Effect.gen(function*() {
        const { REDIS_URL: _, ...env } = yield* installation
        const alone = yield* startApi({ args: ["src/main.ts"], env: { ...env, ROLE: "api" } })
        assert.include(alone.said.stdout, "REDIS_URL is unset")
        // This API runs from its sources for sure, so it logs that, as a worker does.
        yield* alone.until("To become an owner")
        assert.include(alone.said.stdout, "Runs from its sources")
      }))
  }
)
