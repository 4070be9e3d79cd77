import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, FileSystem, Layer, Redacted, Schedule, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { statSync } from "node:fs"
import { createServer } from "node:http"
import { dirname } from "node:path"
import { Events } from "../../src/events/Events.ts"
import { appLayer, foundClub } from "../harness/App.ts"
import { runCommand } from "../harness/CommandHost.ts"
import { freePort } from "../harness/FreePort.ts"
import { listening } from "../harness/Listening.ts"
import { makeStudent } from "../harness/Makers.ts"
import { freshDatabaseUrl, postgresLayerAt } from "../harness/Postgres.ts"
import { startArguments } from "../harness/ScriptArguments.ts"
import { ask, startApi, startTurma } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"

// Takes long: each test starts the command as a process.
// Three processes: the service with its workers, the command, and the developer's server on another port.

/** The same as in `appLayer`, so that both open the same secrets. */
const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

const options = { excludeTestServices: true } as const

const idsIn = (stdout: string) => [...stdout.matchAll(/^got (\S+)$/gm)].map(([, id]) => id ?? "")

const until = (question: () => boolean, what: string) =>
  Effect.sync(question).pipe(
    Effect.repeat({ until: (isSo) => isSo, schedule: Schedule.spaced("50 millis") }),
    Effect.onInterrupt(() => Effect.logError(`It never came to be: ${what}`))
  )

/** A service on a free port, which a test may end and start again. The test itself makes rows in its database. */
const startService = Effect.gen(function*() {
  const database = yield* freshDatabaseUrl
  const env = {
    DATABASE_URL: Redacted.value(database),
    APP_SECRET_KEY,
    DATA_DIR: yield* postgresFolder(),
    WEBHOOK_ASSEMBLE_DELAY: "100 millis",
    WEBHOOK_RETRY_SCHEDULE: "1 second,1 second,1 second"
  }
  const port = yield* freePort
  const scope = yield* Effect.scope
  const serve = Scope.provide(startApi({ args: startArguments, env, port }), scope)
  let service = yield* serve
  const end = (signal?: NodeJS.Signals) => Effect.suspend(() => service.end(signal))
  const startAgain = Effect.map(serve, (next) => void (service = next))
  const rows = yield* Layer.build(appLayer({}, { database: postgresLayerAt(database, 4) }))
  return { service: { url: service.url, end, startAgain }, rows }
})

/** The service of all tests. Those that end it come last. */
class Shared extends Context.Service<Shared, Effect.Success<typeof startService>>()("test/Shared") {
  static readonly layer = Layer.effect(Shared, startService)
}

/** A club of the service with its owner and a student. */
const stand = Effect.gen(function*() {
  const { rows, service } = yield* Shared
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  const inClub = yield* Effect.provide(
    Effect.gen(function*() {
      const club = yield* foundClub()
      return { club, student: yield* makeStudent(club) }
    }),
    rows
  )
  const record = (count: number) =>
    Effect.gen(function*() {
      const events = yield* Events
      const sql = yield* SqlClient.SqlClient
      const fact = { type: "student.updated", student_id: inClub.student.id, changed: ["name"] } as const
      yield* sql.withTransaction(Effect.replicateEffect(events.record(inClub.club.id, fact), count, { discard: true }))
    }).pipe(Effect.provide(rows))

  const secretFile = `${folder}/secret`
  const state = `${folder}/state.json`
  const receive = Effect.fnUntraced(function*(thinks = 0) {
    const receiver = yield* startTurma({ args: ["test/cli/forwardedTo.ts", secretFile, `${thinks}`], env: {} })
    yield* receiver.until("port ")
    const at = /^port (\d+)$/m.exec(receiver.said.stdout)?.[1] ?? ""
    return { ...receiver, url: `http://127.0.0.1:${at}/hooks`, ids: () => idsIn(receiver.said.stdout) }
  })
  const listen = Effect.fnUntraced(function*(url: string, ...more: ReadonlyArray<string>) {
    const to = ["--forward-to", url, "--state", state, "--secret-file", secretFile, ...more]
    const turma = yield* startTurma({
      args: ["src/cli/main.ts", "webhooks", "listen", ...to],
      env: { TURMA_URL: service.url, TURMA_KEY: inClub.club.token, TURMA_CLUB: inClub.club.organization_id }
    })
    yield* until(() => `${turma.said.stdout}${turma.said.stderr}`.includes("Listening as "), "it listens")
    return turma
  })
  const endpoints = Effect.map(
    ask(`${service.url}${inClub.club.path}/webhook-endpoints`, {
      headers: { authorization: `Bearer ${inClub.club.token}` }
    }),
    ({ json }) =>
      Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }))(json).data
  )
  const counted = Effect.provide(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<{ status: string; deliveries: number; attempts: number }>`
          select status, count(*)::int as deliveries, sum(attempts_count)::int as attempts
          from webhook_deliveries where club_id = ${inClub.club.id} group by status`
    ),
    rows
  )
  return { club: inClub.club, counted, endpoints, folder, listen, receive, record, secretFile, service, state }
})

layer(Shared.layer.pipe(Layer.provideMerge(NodeServices.layer)), options)(
  "turma webhooks listen --forward-to",
  (it) => {
    it.effect("forwards 300 events, each once, and removes its endpoint at the end", () =>
      Effect.gen(function*() {
        const { counted, endpoints, listen, receive, record, secretFile, state } = yield* stand
        const receiver = yield* receive()
        const turma = yield* listen(receiver.url)
        assert.lengthOf(yield* endpoints, 1)
        for (const file of [state, secretFile]) assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        yield* record(300)
        yield* until(() => receiver.ids().length >= 300, "all have arrived")
        const ended = yield* turma.end()
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(receiver.ids().length, 300)
        assert.strictEqual(new Set(receiver.ids()).size, 300)
        assert.deepStrictEqual(yield* counted, [{ status: "succeeded", deliveries: 300, attempts: 300 }])
        assert.deepStrictEqual(yield* endpoints, [])
        const lines = ended.stdout.split("\n").filter((line) => line.includes("student.updated"))
        assert.lengthOf(lines, 300)
        assert.match(lines[0] ?? "", /^\S+Z {2}student\.updated {2}verified, answered 204 in \d+ ms$/)
        assert.notInclude(ended.stdout, "whsec_")
        const fs = yield* FileSystem.FileSystem
        assert.isFalse(yield* fs.exists(state))
        assert.isFalse(yield* fs.exists(`${state}.journal`))
      }))

    it.effect("tells what the address answered, follows no redirect, and gets what failed again", () =>
      Effect.gen(function*() {
        const { counted, listen, record } = yield* stand
        const answers = [
          { status: 500, headers: {}, body: "no room" },
          { status: 302, headers: { location: "/elsewhere" }, body: "" },
          { status: 200, headers: {}, body: "" }
        ]
        const asked: Array<string> = []
        const target = createServer((request, response) => {
          const { body = "", headers = {}, status = 200 } = answers[asked.length] ?? {}
          asked.push(`${request.method} ${request.url} ${request.headers["content-type"]}`)
          response.writeHead(status, headers).end(body)
        })
        const port = yield* listening(target)
        const turma = yield* listen(`http://127.0.0.1:${port}/in?a=b`, "--json", "--print", "body")
        yield* record(1)
        yield* until(() => asked.length === 3, "it was tried three times")
        const { code, stderr, stdout } = yield* turma.end()
        assert.strictEqual(code, 0, stderr)
        assert.deepStrictEqual(asked, Array(3).fill("POST /in?a=b application/json"))
        assert.deepStrictEqual(yield* counted, [{ status: "succeeded", deliveries: 1, attempts: 3 }])
        const lines = stdout.trim().split("\n").map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          lines.map(({ attempt, error, status_code, type, verdict }) => [attempt, error, status_code, type, verdict]),
          [500, 302, 200].map((status, index) => [index + 1, null, status, "student.updated", "verified"])
        )
        assert.strictEqual(JSON.parse(lines[0].body).type, "student.updated")
        assert.include(stderr, "The listener is removed")
      }))

    it.effect("goes on where nobody listens at the address, and of two commands of one listener the earlier gives way", () =>
      Effect.gen(function*() {
        const { club, endpoints, listen, record, service, state } = yield* stand
        const nobody = `http://127.0.0.1:${yield* freePort}/`
        const first = yield* listen(nobody)
        yield* record(1)
        yield* first.until("not reached: connection")
        const second = yield* listen(nobody)
        const ended = yield* first.ended
        assert.strictEqual(ended.code, 1)
        assert.include(ended.stderr, "turma: Another command listens in place of this one")
        const [listener] = yield* endpoints
        // The listener is deleted, and a later command makes another one before this command notices.
        yield* second.kill("SIGSTOP")
        const headers = { authorization: `Bearer ${club.token}` }
        yield* ask(`${service.url}${club.path}/webhook-endpoints/${listener?.id}`, { method: "DELETE", headers })
        const third = yield* listen(nobody)
        yield* second.kill("SIGCONT")
        assert.include((yield* second.ended).stderr, "turma: The listener was deleted")
        assert.isTrue(statSync(state).isFile())
        assert.lengthOf(yield* endpoints, 1)
        assert.strictEqual((yield* third.end()).code, 0)
        assert.deepStrictEqual(yield* endpoints, [])
      }))

    it.effect("ends in good order where there is no room to keep what came of a delivery", () =>
      Effect.gen(function*() {
        const { counted, endpoints, listen, receive, record, state } = yield* stand
        const receiver = yield* receive()
        const turma = yield* listen(receiver.url)
        spawnSync("prlimit", ["--pid", `${turma.pid}`, "--fsize=0"])
        yield* record(1)
        const { code, stderr } = yield* turma.ended
        assert.deepStrictEqual(
          [code, stderr.includes(`turma: Cannot write ${state}: the file may not grow so large`)],
          [
            2,
            true
          ]
        )
        assert.lengthOf(receiver.ids(), 1)
        assert.deepStrictEqual(yield* counted, [{ status: "succeeded", deliveries: 1, attempts: 1 }])
        assert.deepStrictEqual(yield* endpoints, [])
      }))

    it.effect("says why it gets no endpoint: the club has as many as it may", () =>
      Effect.gen(function*() {
        const { club, folder, service } = yield* stand
        const headers = { authorization: `Bearer ${club.token}`, "content-type": "application/json" }
        const body = JSON.stringify({ event_types: ["student.created"] })
        const url = `${service.url}${club.path}/webhook-listeners`
        yield* Effect.replicateEffect(ask(url, { method: "POST", headers, body }), 20, { discard: true })
        const args = ["webhooks", "listen", "--forward-to", "http://127.0.0.1:1/", "--state", `${folder}/other.json`]
        const { code, stderr } = yield* runCommand(args, {
          TURMA_URL: service.url,
          TURMA_KEY: club.token,
          TURMA_CLUB: club.organization_id
        })
        assert.strictEqual(code, 5)
        assert.match(stderr, /^turma: .*20/)
      }))

    it.effect("removes its endpoint where nobody reads any more what it says", () =>
      Effect.gen(function*() {
        const { endpoints, listen, receive, record } = yield* stand
        const turma = yield* listen((yield* receive()).url)
        turma.stopReading()
        yield* record(3)
        assert.strictEqual((yield* turma.ended).code, 0)
        assert.deepStrictEqual(yield* endpoints, [])
      }))

    it.effect("says what is wrong with how it is called, and whom the service does not let in", () =>
      Effect.gen(function*() {
        const { service, state } = yield* stand
        const args = ["webhooks", "listen", "--state", state, "--forward-to"]
        const env = {
          TURMA_URL: service.url,
          TURMA_KEY: "somebody",
          TURMA_CLUB: "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10"
        }
        const said = (target: string, env: Record<string, string>) =>
          Effect.map(runCommand([...args, target], env), ({ code, stderr }) => [code, stderr])
        const target = "http://127.0.0.1:1/"
        assert.deepStrictEqual(yield* said("ftp://a", env), [
          2,
          "turma: --forward-to: expected an http or https address without user and password\n"
        ])
        const { TURMA_KEY: _, ...keyless } = env
        assert.deepStrictEqual(yield* said(target, { ...keyless, XDG_CONFIG_HOME: dirname(state) }), [
          3,
          "turma: Not signed in: use npx turma login, or set TURMA_KEY and TURMA_URL\n"
        ])
        assert.deepStrictEqual(yield* said(target, { ...env, TURMA_CLUB: "a" }), [
          2,
          "turma: a is not the id of a club\n"
        ])
        const [code, stderr] = yield* said(target, env)
        assert.strictEqual(code, 3)
        assert.match(`${stderr}`, /^turma: This route wants an administrator's /)
        const typeless = yield* runCommand([...args, target, "--events", ""], env)
        assert.deepStrictEqual([typeless.code, /event_types/.test(typeless.stderr)], [5, true])
      }))

    it.effect(
      "loses none of 400 when it is killed and comes back, twice, and the service is started anew",
      () =>
        Effect.gen(function*() {
          const { counted, endpoints, listen, receive, record, service } = yield* stand
          const receiver = yield* receive(20)
          const first = yield* listen(receiver.url)
          const before = yield* endpoints
          yield* record(400)
          yield* until(() => receiver.ids().length >= 80, "some have arrived")
          yield* first.end("SIGKILL")
          const second = yield* listen(receiver.url)
          yield* second.until("Going on with the listener")
          yield* until(() => receiver.ids().length >= 200, "more have arrived")
          yield* second.end("SIGKILL")
          yield* service.end()
          const third = yield* Effect.forkChild(listen(receiver.url))
          yield* service.startAgain
          const last = yield* Fiber.join(third)
          assert.deepStrictEqual(yield* endpoints, before)
          yield* until(() => new Set(receiver.ids()).size === 400, "all have arrived")
          const ended = yield* last.end()
          assert.strictEqual(ended.code, 0, ended.stderr)
          // Each kill loses the results of the deliveries under way, at most ten, so at most 20 arrive twice.
          assert.isAtMost(receiver.ids().length, 420)
          const all = yield* counted
          assert.deepStrictEqual(all.map(({ deliveries, status }) => ({ deliveries, status })), [
            { deliveries: 400, status: "succeeded" }
          ])
          assert.deepStrictEqual(yield* endpoints, [])
        })
    )

    it.effect(
      "ends in time where neither the address nor the service answers, and then leaves its listener",
      () =>
        Effect.gen(function*() {
          const { listen, record, service, state } = yield* stand
          const target = createServer(() => {})
          const port = yield* listening(target)
          const turma = yield* listen(`http://127.0.0.1:${port}/`)
          const asked = once(target, "request")
          yield* record(1)
          yield* Effect.promise(() => asked)
          yield* service.end("SIGKILL")
          const [took, ended] = yield* Effect.timed(turma.end())
          assert.strictEqual(ended.code, 0, ended.stderr)
          assert.include(ended.stdout, "The listener is not removed")
          assert.isBelow(Duration.toSeconds(took), 30)
          assert.isTrue(statSync(state).isFile())
        })
    )
  }
)
