import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, FileSystem, Layer, Redacted, Schedule } from "effect"
import { createServer } from "node:net"
import { isRefused, openHalfHead, openIdleConnection, startHalfRequest } from "../harness/HalfRequest.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { isRefusal, parseAnswer } from "../harness/RawHttp.ts"
import { hasTrials } from "../harness/Trials.ts"
import { ask, post, startApi, startTurma } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"

// Takes long: in real time, it waits for the limits of a shutdown.

const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

const signUp = (email: string) => JSON.stringify({ name: "Ana", email, password: "violao e voz" })

const ownDatabase = Effect.map(freshDatabaseUrl, (url) => ({ DATABASE_URL: Redacted.value(url), APP_SECRET_KEY }))

const countMails = (url: string) =>
  PgConnection.make({ url: Redacted.make(url) }).pipe(
    Effect.flatMap((connection) => connection.query("select count(*)::int as count from mails where attempts = 1")),
    Effect.map(({ rows }) => rows[0]?.["count"]),
    Effect.scoped
  )

/**
 * A mail server whose answer to the first command never ends. `called` ends when two connections wait for it: the check
 * at the start, and a mail.
 */
const startEndlessMailServer = Effect.gen(function*() {
  const called = yield* Deferred.make<void>()
  let waiting = 0
  const server = createServer((socket) => {
    socket.write("220 mail.example\r\n")
    const talk = setInterval(() => socket.write("250-and\r\n"), 500)
    socket.once("data", () => {
      waiting++
      if (waiting === 2) Deferred.doneUnsafe(called, Exit.void)
    })
    socket.on("error", () => {})
    socket.once("close", () => clearInterval(talk))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close())
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `smtp://127.0.0.1:${port}`, called: Deferred.await(called) }
})

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "A process that is told to end",
  (it) => {
    it.effect("finishes what is in flight, takes nothing new and keeps no idle connection", () =>
      Effect.gen(function*() {
        const turma = yield* startApi({ env: yield* ownDatabase })
        const idle = yield* openIdleConnection(turma.port)
        const half = yield* startHalfRequest(turma.port, "/v1/auth/admin/sign-up", signUp("ana@user.example"))
        // npm repeats the signal that the terminal has already sent. Both are one request to stop.
        yield* turma.kill("SIGINT")
        yield* turma.kill("SIGINT")
        yield* Effect.repeat(isRefused(turma.port), { until: (refused) => refused, schedule: Schedule.spaced(20) })
        yield* idle.closed
        assert.match(yield* half.finish, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202 Accepted\r\n/)
        const { code, stderr, stdout } = yield* turma.ended
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.include(
          stdout,
          "Stopping: 1 request in flight, waiting up to 14 seconds; another Ctrl-C ends at once"
        )
      }))

    it.effect.skipIf(!hasTrials)(
      "waits neither for clients nor for a mail server without end, and keeps the mail",
      () =>
        Effect.gen(function*() {
          const smtp = yield* startEndlessMailServer
          const env = yield* ownDatabase
          const turma = yield* startApi({ env: { ...env, SMTP_URL: smtp.url } })
          yield* startHalfRequest(turma.port, "/v1/auth/admin/sign-up", signUp("bia@user.example"))
          yield* openHalfHead(turma.port)
          yield* post(`${turma.url}/v1/auth/admin/sign-up`, signUp("ana@user.example"))
          yield* smtp.called
          const { code, stderr } = yield* turma.end()
          assert.deepStrictEqual([code, stderr], [0, ""])
          assert.strictEqual(yield* countMails(env.DATABASE_URL), 1)
        })
    )

    it.effect("ends at once when it is told again", () =>
      Effect.gen(function*() {
        const turma = yield* startApi({ env: yield* ownDatabase })
        yield* startHalfRequest(turma.port, "/v1/auth/admin/sign-up", signUp("ana@user.example"))
        const insist = Effect.repeat(turma.kill("SIGTERM"), Schedule.spaced("100 millis"))
        const { code } = yield* Effect.raceFirst(turma.ended, Effect.andThen(insist, Effect.never))
        assert.strictEqual(code, 1)
      }))
  }
)

/** A folder with a database, which services of several tests use, one after the other. */
class DataFolder extends Context.Service<DataFolder, string>()("test/process/DataFolder") {
  static readonly layer = Layer.effect(DataFolder, postgresFolder()).pipe(Layer.provideMerge(NodeServices.layer))
}

const pidFileOf = (folder: string) => `${folder}/postgres/cluster/postmaster.pid`

/** Asserts that the database server has ended as it should. */
const isShutDown = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  assert.isFalse(yield* fs.exists(pidFileOf(folder)))
  assert.match(yield* fs.readFileString(`${folder}/postgres/server.log`), /database system is shut down\s*$/)
})

layer(DataFolder.layer, { excludeTestServices: true })(
  "A process with its own PostgreSQL",
  (it) => {
    it.effect("ends cleanly also while it starts", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const DATA_DIR = yield* DataFolder
        const turma = yield* startTurma({ env: { DATA_DIR } })
        const exists = fs.exists(pidFileOf(DATA_DIR))
        yield* Effect.repeat(exists, { until: (started) => started, schedule: Schedule.spaced(20) })
        const { code, stderr } = yield* turma.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.isFalse(yield* exists)
      }))

    it.effect("loses no accepted sign-up when it is killed, and at its end stops it and says that half a head came too late", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const DATA_DIR = yield* DataFolder
        const addresses = ["ana", "bia", "caio"].map((name) => `${name}@user.example`)
        const first = yield* startApi({ env: { DATA_DIR, ROLE: "api" } })
        for (const address of addresses) {
          assert.strictEqual((yield* post(`${first.url}/v1/auth/admin/sign-up`, signUp(address))).status, 202)
        }
        assert.strictEqual((yield* first.end("SIGKILL")).signal, "SIGKILL")

        const second = yield* startApi({ env: { DATA_DIR } })
        assert.strictEqual((yield* ask(`${second.url}/v1/health/ready`)).status, 200)
        const mailed = fs.readDirectory(`${DATA_DIR}/mail`).pipe(
          Effect.orElseSucceed((): Array<string> => []),
          Effect.map((files) => addresses.filter((address) => files.some((file) => file.endsWith(`-${address}.eml`))))
        )
        yield* Effect.repeat(mailed, {
          until: (found) => found.length === addresses.length,
          schedule: Schedule.spaced("50 millis")
        })

        assert.isTrue(yield* fs.exists(pidFileOf(DATA_DIR)))
        const half = yield* openHalfHead(second.port)
        const { code, stderr, stdout } = yield* second.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.include(stdout, "Stopping: no request is in flight")
        assert.include(
          stdout,
          "Stopping: waiting up to 3 seconds for 1 connection on which no whole request has come"
        )
        // A process that waited for the whole time of a shutdown would close it without an answer.
        assert.match(yield* half.closed, /HTTP\/1\.1 408 Request Timeout\r\n[^]*"code":"request_timeout"/)
        yield* isShutDown(DATA_DIR)
      }))

    it.effect.skipIf(!hasTrials)(
      "answers in the envelope a request that does not come to its end in time, and stops it also then",
      () =>
        Effect.gen(function*() {
          const DATA_DIR = yield* DataFolder
          const turma = yield* startApi({ env: { DATA_DIR, ROLE: "api" } })
          const half = yield* startHalfRequest(turma.port, "/v1/auth/admin/sign-up", signUp("ana@user.example"))
          const { code, stderr, stdout } = yield* turma.end()
          assert.deepStrictEqual([code, stderr], [0, ""])
          // The service gave the request up after 14 seconds. It gives up a dead database server much earlier.
          const answer = parseAnswer(Buffer.from((yield* half.closed).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "")))
          isRefusal(answer, 503, "temporarily_unavailable")
          for (const line of ["is started again", "is back after", "is left running"]) assert.notInclude(stdout, line)
          yield* isShutDown(DATA_DIR)
        })
    )
  }
)
