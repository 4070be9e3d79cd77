import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Layer, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { dirname } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { embeddedPostgres } from "../../../src/platform/sql/EmbeddedPostgres.ts"
import { Meanwhile, run } from "../../../src/platform/sql/PostgresCluster.ts"
import { postgresFolder } from "../../harness/Watchdog.ts"

const isRoot = process.getuid?.() === 0

const folder = (mode?: number) => Effect.map(postgresFolder(mode), (parent) => `${parent}/postgres`)

const start = (directory: string) => embeddedPostgres({ directory, settings: { fsync: "off" } })

const query = (url: Redacted.Redacted, text: string) =>
  PgConnection.make({ url }).pipe(
    Effect.flatMap((connection) => connection.query(text)),
    Effect.map(({ rows }) => rows),
    Effect.scoped
  )

const portOf = (url: Redacted.Redacted) => new URL(Redacted.value(url)).port

/** Starts another Turma process in its own process group, and waits for the URL that it prints. */
const startProcess = Effect.fnUntraced(function*(directory: string) {
  const script = fileURLToPath(new URL("embeddedProcess.ts", import.meta.url))
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [script, directory], { detached: true, stdio: ["ignore", "pipe", "inherit"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = Effect.promise(async () => (await lines.next()).value ?? "")
  return { child, url: Redacted.make(yield* nextLine), nextLine }
})

const exit = (child: ChildProcess, signal: () => void) =>
  Effect.promise(() => {
    const exited = once(child, "exit")
    signal()
    return exited
  })

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

// Real processes take real time.
layer(TestLayer, { excludeTestServices: true })("Embedded PostgreSQL", (it) => {
  it.effect("leaves no program behind that is interrupted while it runs", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped()
      const running = yield* Effect.forkChild(run("/bin/sh", ["-c", `echo $$ > ${file}; exec sleep 600`], {}))
      const pid = yield* Effect.repeat(fs.readFileString(file), { until: (text) => text.endsWith("\n") })
      assert.doesNotThrow(() => process.kill(Number(pid), 0))
      yield* Fiber.interrupt(running)
      assert.throws(() => process.kill(Number(pid), 0), "ESRCH")
    }))

  it.effect("does something else while it waits for initdb and for the server to start, and waits for both", () =>
    Effect.gen(function*() {
      const directory = yield* folder()
      const times: Array<string> = []
      const note = Effect.gen(function*() {
        times.push("begun")
        yield* Effect.sleep("2 seconds")
        times.push("done")
      })
      const url = yield* Effect.provideService(start(directory), Meanwhile, note)
      assert.deepStrictEqual(times, ["begun", "done", "begun", "done"])
      assert.deepStrictEqual(yield* query(url, "select 1 as one"), [{ one: 1 }])
    }))

  it.effect("logs that it refused a row, and nothing of the row", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* folder()
      const url = yield* start(directory)
      yield* query(url, "create table people (email text unique check (email <> 'caio@people.example'))")
      const insert = (email: string) => query(url, `insert into people values ('${email}')`)
      yield* insert("bia@people.example")
      for (const email of ["bia@people.example", "caio@people.example"]) yield* Effect.flip(insert(email))
      const log = yield* fs.readFileString(`${directory}/server.log`)
      assert.include(log, "duplicate key value")
      assert.include(log, "violates check constraint")
      assert.notInclude(log, "people.example")
    }))

  it.effect("keeps its data across restarts and is stopped in between", () =>
    Effect.gen(function*() {
      const directory = yield* folder()
      const first = yield* Effect.scoped(Effect.tap(start(directory), (url) =>
        query(url, "create table kept (id int)")))
      const stopped = yield* Effect.flip(query(first, "select 1"))
      assert.strictEqual(stopped._tag, "SqlError")
      const again = yield* start(directory)
      assert.deepStrictEqual(yield* query(again, "select * from kept"), [])
    }))

  it.effect("lets nobody else in", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* folder()
      const url = new URL(Redacted.value(yield* start(directory)))
      const modeOf = (file: string) => Effect.map(fs.stat(`${directory}${file}`), ({ mode }) => mode & 0o777)
      assert.strictEqual(yield* modeOf(""), 0o700)
      assert.strictEqual(yield* modeOf("/cluster"), 0o700)
      assert.strictEqual(yield* modeOf("/password"), 0o600)
      url.password = "guess"
      const { reason } = yield* Effect.flip(query(Redacted.make(url.href), "select 1"))
      assert.strictEqual(reason._tag, "AuthenticationError")
    }))

  it.effect("sorts by code point and lowers every letter", () =>
    Effect.gen(function*() {
      const url = yield* start(yield* folder())
      const rows = yield* query(
        url,
        "select lower('ÁÇ') as low, 'Z' < 'a' as ordered, current_setting('TimeZone') as zone"
      )
      assert.deepStrictEqual(rows, [{ low: "áç", ordered: true, zone: "UTC" }])
    }))

  it.effect("is shared by processes that start at once, until the last one leaves", () =>
    Effect.gen(function*() {
      const directory = yield* folder()
      const url = yield* Effect.scoped(Effect.gen(function*() {
        const [mine, theirs] = yield* Effect.all([start(directory), startProcess(directory)], { concurrency: 2 })
        assert.strictEqual(portOf(theirs.url), portOf(mine))
        yield* exit(theirs.child, () => theirs.child.kill("SIGTERM"))
        assert.deepStrictEqual(yield* query(mine, "select 1 as one"), [{ one: 1 }])
        return mine
      }))
      assert.strictEqual((yield* Effect.flip(query(url, "select 1")))._tag, "SqlError")
    }))

  it.effect("is adopted after its process was killed, and stopped at the end", () =>
    Effect.gen(function*() {
      const directory = yield* folder()
      const killed = yield* startProcess(directory)
      yield* exit(killed.child, () => killed.child.kill("SIGKILL"))
      const adopted = yield* Effect.scoped(Effect.tap(start(directory), (url) => query(url, "select 1")))
      assert.strictEqual(portOf(adopted), portOf(killed.url))
      assert.strictEqual((yield* Effect.flip(query(adopted, "select 1")))._tag, "SqlError")
    }))

  it.effect("outlives Ctrl-C until the process has drained", () =>
    Effect.gen(function*() {
      const { child, nextLine, url } = yield* startProcess(yield* folder())
      // A terminal sends the signal to the whole group.
      yield* exit(child, () => process.kill(-(child.pid ?? 0), "SIGINT"))
      assert.strictEqual(yield* nextLine, "drained")
      assert.strictEqual((yield* Effect.flip(query(url, "select 1")))._tag, "SqlError")
    }))

  it.effect("takes no notice of a pid file that names another process", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* folder()
      yield* Effect.scoped(start(directory))
      const stale = [process.pid, `${directory}/cluster`, 0, 1, "", "127.0.0.1", "", "ready", ""].join("\n")
      yield* fs.writeFileString(`${directory}/cluster/postmaster.pid`, stale)
      assert.deepStrictEqual(yield* query(yield* start(directory), "select 1 as one"), [{ one: 1 }])
    }))

  it.effect("says in one line why it does not start", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* folder()
      yield* Effect.scoped(start(directory))
      yield* fs.writeFileString(`${directory}/cluster/PG_VERSION`, "9.6\n")
      const { message } = yield* Effect.flip(start(directory))
      assert.match(message, /^PostgreSQL under \S+\/postgres did not start: .*incompatible.*$/)
    }))

  it.effect.runIf(isRoot)(
    "keeps the data where PostgreSQL's user reaches it when root's folder is closed to it",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const directory = yield* folder(0o700)
        const said: Array<unknown> = []
        const listener = Logger.layer([Logger.make(({ message }) => void said.push(message))])
        const opened = Effect.scoped(Effect.flatMap(start(directory), (url) => query(url, "select 1 as one")))
        yield* opened
        const rows = yield* Effect.provide(opened, listener)
        const home = yield* fs.readLink(directory)
        // A start that finds the link logs this too.
        assert.deepStrictEqual(said, [[
          `The database is not in ${dirname(directory)}: ${directory} is a link to ${home}`
        ]])
        yield* Effect.addFinalizer(() => Effect.orDie(fs.remove(home, { recursive: true })))
        assert.deepStrictEqual(rows, [{ one: 1 }])
        assert.match(home, /^\/var\/lib\/turma\/postgres-/)
        assert.strictEqual((yield* fs.stat(dirname(directory))).mode & 0o777, 0o700)
      })
  )
})
