import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, type Duration, Effect, Fiber, FileSystem, Layer, Redacted, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { eventually } from "../harness/Eventually.ts"
import { freePort } from "../harness/FreePort.ts"
import { isRefused, startHalfRequest } from "../harness/HalfRequest.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { postmasterOf } from "../harness/Postmaster.ts"
import { startArguments } from "../harness/ScriptArguments.ts"
import { ask, post, runTurma, startApi, startTurma } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { refusedValues } from "../platform/config/refusedValues.ts"

// Takes long: it starts, kills and replaces services of several processes.

const [INTERNAL_SECRET, nextSecret] = ["the-first-secret", "the-second-secret"]

const signUp = (email: string) => ({ name: "Ana", email, password: "violao e voz" })

const installation = Effect.map(freshDatabaseUrl, (url) => ({
  DATABASE_URL: Redacted.value(url),
  APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  INTERNAL_SECRET,
  LOG_FORMAT: "json",
  PROCESSES: "2"
}))

const again = Schedule.spaced("20 millis")

/** The service, once all of its processes serve. */
const startProcesses = Effect.fnUntraced(function*(env: Record<string, string>) {
  const turma = yield* startApi({
    args: startArguments,
    env: { ...env, DATA_DIR: env["DATA_DIR"] ?? (yield* postgresFolder()) }
  })
  yield* turma.until("processes are ready")
  return turma
})

/** Requests for credentials that the shared service allows in a minute. */
const limit = 30

/** A service of two processes, its secrets in files, that several tests ask, kill and replace in turn. */
class Shared extends Context.Service<Shared, {
  readonly turma: Effect.Success<ReturnType<typeof startProcesses>>
  /** The requests for `/v1/health` until now. */
  asked: number
  /** Writes the secret of the metrics. */
  readonly writeSecret: (text: string) => Effect.Effect<void>
}>()("test/process/Shared") {
  static readonly layer = Layer.effect(
    Shared,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
      const write = (name: string, text: string) =>
        Effect.orDie(Effect.as(fs.writeFileString(`${folder}/${name}`, `${text}\n`), `${folder}/${name}`))
      const { APP_SECRET_KEY, DATABASE_URL, INTERNAL_SECRET, ...others } = yield* installation
      const turma = yield* startProcesses({
        ...others,
        DATABASE_URL_FILE: yield* write("database", DATABASE_URL),
        APP_SECRET_KEY_FILE: yield* write("key", APP_SECRET_KEY),
        INTERNAL_SECRET_FILE: yield* write("internal", INTERNAL_SECRET),
        RATE_LIMIT_CREDENTIALS: `${limit}`,
        PROT: "hunter2",
        REDIS_PORT_6379_TCP_ADDR: "10.0.0.1"
      })
      return { turma, asked: 0, writeSecret: (text) => Effect.asVoid(write("internal", text)) }
    })
  ).pipe(Layer.provideMerge(NodeServices.layer))
}

/** The ids and the arguments of the processes that serve. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map((child) => ({
    pid: Number(child),
    args: readFileSync(`/proc/${child}/cmdline`, "utf8").split("\0")
  }))

const pidsOf = (pid: number) => childrenOf(pid).map((child) => child.pid)

const count = (text: string, part: string) => text.split(part).length - 1

const allReady = "2 processes are ready"

/** Ends once the service has said so often that all of its processes serve. */
const untilReady = ({ said }: { readonly said: { readonly stdout: string } }, times: number) =>
  Effect.repeat(Effect.sync(() => count(said.stdout, allReady)), { until: (found) => found === times, schedule: again })

const metricsOf = (url: string, secret: string) =>
  Effect.map(ask(`${url}/internal/metrics`, { headers: { authorization: `Bearer ${secret}` } }), ({ text }) => text)

/** The metrics, once they count this many requests. If a process answers late, its earlier figures count, or the answer is a 503. */
const untilCounted = (url: string, requests: number, secret = INTERNAL_SECRET) =>
  eventually(Effect.delay(metricsOf(url, secret), "20 millis"), (text) => healthTotal(text) === requests)

/** The process that answered each of these requests, by the lines of the log. */
const answeredBy = ({ said }: { readonly said: { readonly stdout: string } }, path: string) =>
  said.stdout.split("\n").filter((line) => line.includes(`"route":"${path}"`)).map((line) =>
    /"process":(\d+)/.exec(line)?.[1]
  )

const healthTotal = (text: string) =>
  Number(/^turma_http_requests_total\{method="GET",route="\/v1\/health",status="200"\} (\d+)$/m.exec(text)?.[1])

/** Sends one request. Answers its fault, if it has one. */
const tryOnce = (port: number, agent: Agent | false) =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    const failed = ({ message }: Error) => resume(Effect.succeed([message]))
    const sent = request({ port, host: "127.0.0.1", path: "/v1/health", agent }, (response) => {
      response.once("error", failed)
      response.once("end", () => resume(Effect.succeed(response.statusCode === 200 ? [] : [`${response.statusCode}`])))
      response.resume()
    })
    sent.once("error", failed)
    sent.end()
  })

/** Sends requests on kept and on new connections, until the returned effect runs. That answers the faults. */
const keepAsking = Effect.fnUntraced(function*(port: number) {
  const kept = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ keepAlive: true })),
    (agent) => Effect.sync(() => agent.destroy())
  )
  const wrong: Array<string> = []
  const counts = { answered: 0, isOver: false }
  const loop = ([agent, pause]: readonly [Agent | false, Duration.Input]) =>
    tryOnce(port, agent).pipe(
      Effect.map((faults) => {
        wrong.push(...faults)
        counts.answered += 1
      }),
      Effect.andThen(Effect.sleep(pause)),
      Effect.repeat({ until: () => counts.isOver })
    )
  // Milliseconds between two requests of a client. The pauses leave the processes time to start.
  const loops = [[kept, 5], [kept, 30], [kept, 700], [false, 10]] as const
  const asking = yield* Effect.forkChild(Effect.forEach(loops, loop, { concurrency: "unbounded", discard: true }))
  return Effect.gen(function*() {
    counts.isOver = true
    yield* Fiber.join(asking)
    return { answered: counts.answered, wrong }
  })
})

layer(Shared.layer, { excludeTestServices: true })(
  "Several processes of one command",
  (it) => {
    it.effect("share a port, the options of Node, one start and one count of requests", () =>
      Effect.gen(function*() {
        const shared = yield* Shared
        const { turma } = shared
        const children = childrenOf(turma.pid)
        assert.lengthOf(children, 2)
        const options = startArguments.filter((argument) => argument.startsWith("--"))
        assert.isNotEmpty(options)
        for (const { args } of children) assert.includeMembers(args, options)
        assert.strictEqual(count(turma.said.stdout, "is ready at"), 1)
        assert.strictEqual(count(turma.said.stdout, "each is a file in"), 1)

        for (let n = 0; n < 10; n++) yield* ask(`${turma.url}/v1/health`)
        shared.asked += 10
        for (const _ of children) {
          const text = yield* untilCounted(turma.url, shared.asked)
          for (const pid of [turma.pid, ...children.map((child) => child.pid)]) {
            assert.match(text, new RegExp(`^turma_process_resident_memory_bytes\\{process="${pid}"\\} \\d{8,}$`, "m"))
          }
        }
      }))

    it.effect("count exactly what is asked of all at the same time, come back when they are killed, and forget no count", () =>
      Effect.gen(function*() {
        const { asked, turma } = yield* Shared
        const signIn = post(`${turma.url}/v1/auth/admin/sign-in`, {})
        const answers = yield* Effect.all(Array.from({ length: 90 }, () => signIn), { concurrency: "unbounded" })
        const [killed = 0, other = 0] = pidsOf(turma.pid)
        assert.sameMembers([...new Set(answeredBy(turma, "/v1/auth/admin/sign-in"))], [`${killed}`, `${other}`])
        assert.sameMembers([...new Set(answers.map(({ status }) => status))], [422, 429])
        const counted = answers.filter(({ status }) => status !== 429).map(({ headers }) =>
          Number(/"credentials";r=(\d+);/.exec(headers.get("ratelimit") ?? "")?.[1])
        )
        assert.deepStrictEqual(counted.toSorted((a, b) => a - b), Array.from({ length: limit }, (_, left) => left))

        yield* untilCounted(turma.url, asked)
        process.kill(killed, "SIGKILL")
        yield* turma.until(`Process ${killed} has ended (SIGKILL) and is started again`)
        for (let n = 0; n < 4; n++) assert.strictEqual((yield* signIn).status, 429)
        yield* untilReady(turma, 2)
        const now = pidsOf(turma.pid)
        assert.lengthOf(now, 2)
        assert.include(now, other)
        assert.notInclude(now, killed)
        yield* untilCounted(turma.url, asked)
      }))

    it.effect(
      "are replaced on SIGHUP without a fault, take changed secrets up, and finish what is in flight without a supervisor",
      () =>
        Effect.gen(function*() {
          const { asked, turma, writeSecret } = yield* Shared
          yield* writeSecret(nextSecret)
          const before = pidsOf(turma.pid)
          const times = count(turma.said.stdout, allReady)
          const stop = yield* keepAsking(turma.port)
          yield* turma.kill("SIGHUP")
          yield* untilReady(turma, times + 1)
          const { answered, wrong } = yield* stop
          assert.deepStrictEqual(wrong, [])
          const after = pidsOf(turma.pid)
          assert.lengthOf(after, 2)
          for (const pid of before) assert.notInclude(after, pid)
          assert.strictEqual(count(turma.said.stdout, "has ended (code 0)"), 2)
          assert.strictEqual(count(turma.said.stdout, "is ready at"), 1)
          // The supervisor gets the last count of each process before the process ends.
          yield* untilCounted(turma.url, asked + answered, nextSecret)

          // Those who asked before have used their limit up.
          const half = yield* startHalfRequest(
            turma.port,
            "/v1/auth/admin/sign-up",
            JSON.stringify(signUp("ana@user.example")),
            "127.0.0.2"
          )
          yield* turma.kill("SIGKILL")
          assert.match(yield* half.finish, /HTTP\/1\.1 202 Accepted\r\n/)
          const { signal, stderr, stdout } = yield* turma.ended
          assert.deepStrictEqual([signal, stderr], ["SIGKILL", ""])
          assert.strictEqual(count(stdout, "PROT is no variable of Turma: is PORT meant?"), 1)
          assert.strictEqual(count(stdout, "INTERNAL_SECRET is shorter than 24 characters: it may be guessed"), 1)
          assert.notInclude(stdout, "hunter2")
          assert.notInclude(stdout, "REDIS_PORT")
        })
    )
  }
)

layer(NodeServices.layer, { excludeTestServices: true })(
  "Several processes of a command that ends",
  (it) => {
    it.effect("end at once when they are told again", () =>
      Effect.gen(function*() {
        const turma = yield* startProcesses(yield* installation)
        yield* startHalfRequest(turma.port, "/v1/auth/admin/sign-up", JSON.stringify(signUp("ana@user.example")))
        const insist = Effect.repeat(turma.kill("SIGTERM"), Schedule.spaced("100 millis"))
        // The output closes when the last process ends.
        const { code } = yield* Effect.raceFirst(turma.ended, Effect.andThen(insist, Effect.never))
        assert.strictEqual(code, 1)
      }))

    it.effect("say once what is wrong with the variables, and end with 2", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped()
        const { PROCESSES: _, ...wrong } = refusedValues
        const { code, stderr, stdout } = yield* runTurma({ env: { ...wrong, DATA_DIR: folder, PROCESSES: "3" } })
        assert.deepStrictEqual([code, stdout], [2, ""])
        const named = stderr.trimEnd().split("\n").map((line) => /^turma: ([A-Z_]+): expected /.exec(line)?.[1])
        assert.sameMembers(named, Object.keys(wrong))
      }))

    it.effect("end at once and say why, if their supervisor is of another version", () =>
      Effect.gen(function*() {
        const env = yield* installation
        for (const spoken of [[], ["1"]]) {
          const { code, stderr, stdout } = yield* runTurma({ args: [...startArguments, "child", ...spoken], env })
          assert.deepStrictEqual([code, stdout], [1, ""])
          assert.match(stderr, /^turma: the supervisor is of another version: end the command and start it again/)
        }
      }))

    it.effect("are workers too", () =>
      Effect.gen(function*() {
        const port = yield* freePort
        const env = { ...(yield* installation), ROLE: "worker", PORT: `${port}`, DATA_DIR: yield* postgresFolder() }
        const turma = yield* startTurma({ env })
        yield* turma.until("2 processes are ready")
        assert.strictEqual(count(turma.said.stdout, "worker is ready"), 1)
        assert.isTrue(yield* isRefused(port))
        assert.strictEqual((yield* turma.end()).code, 0)
      }))

    it.effect("have one PostgreSQL, which the death of none takes with it, and finish what is in flight before it ends", () =>
      Effect.gen(function*() {
        const DATA_DIR = yield* postgresFolder()
        const turma = yield* startProcesses({ DATA_DIR, LOG_FORMAT: "json", PROCESSES: "2", DATABASE_POOL: "40" })
        const postmaster = postmasterOf(`${DATA_DIR}/postgres`)
        // The pools of two processes and of one that starts meanwhile, one more connection each, and some for others.
        assert.include(readFileSync(`/proc/${postmaster}/cmdline`, "utf8").split("\0"), "max_connections=133")
        const [first = 0] = pidsOf(turma.pid)
        process.kill(first, "SIGKILL")
        yield* turma.until(`Process ${first} has ended`)
        for (let n = 0; n < 4; n++) assert.strictEqual((yield* ask(`${turma.url}/v1/health/ready`)).status, 200)
        assert.deepStrictEqual(postmasterOf(`${DATA_DIR}/postgres`), postmaster)
        assert.notInclude(turma.said.stdout, "has ended and is started again\"")

        yield* untilReady(turma, 2)
        const halves = yield* Effect.forEach(
          ["ana", "bia", "caio"],
          (name) =>
            startHalfRequest(turma.port, "/v1/auth/admin/sign-up", JSON.stringify(signUp(`${name}@user.example`)))
        )
        // A terminal sends its signal to every process of the group.
        for (const pid of [turma.pid, ...pidsOf(turma.pid)]) process.kill(pid, "SIGINT")
        yield* Effect.repeat(isRefused(turma.port), { until: (refused) => refused, schedule: again })
        for (const half of halves) assert.match(yield* half.finish, /HTTP\/1\.1 202 Accepted\r\n/)
        const { code, stderr, stdout } = yield* turma.ended
        assert.deepStrictEqual([code, stderr], [0, ""])
        // Each process may also say that it waits for a connection without a request: ours ask whether it still listens.
        assert.strictEqual(count(stdout, "Stopping 2 processes: requests in flight are waited for up to 14 seconds"), 1)
        assert.strictEqual(count(stdout, "in flight"), 1)
        assert.isUndefined(postmasterOf(`${DATA_DIR}/postgres`))
      }))
  }
)
