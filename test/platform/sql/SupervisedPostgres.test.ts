import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { createServer } from "node:net"
import { embeddedPostgres } from "../../../src/platform/sql/EmbeddedPostgres.ts"
import { killPostmaster, postmasterOf } from "../../harness/Postmaster.ts"
import { runProcess } from "../../harness/ScriptProcess.ts"
import { postgresFolder } from "../../harness/Watchdog.ts"

// Takes long: each test makes a database server, kills it and waits for the next one.

const supervised = (directory: string) => runProcess("test/platform/sql/supervisedProcess.ts", directory)

const query = (url: Redacted.Redacted, text: string) =>
  PgConnection.make({ url }).pipe(
    Effect.flatMap((connection) => connection.query(text)),
    Effect.map(({ rows }) => rows),
    Effect.scoped
  )

const answers = (url: Redacted.Redacted) =>
  Effect.match(query(url, "select 1"), { onSuccess: () => true, onFailure: () => false })

const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.delay(holds, "20 millis"), { until: (isSo) => isSo })

const folder = Effect.map(postgresFolder(), (parent) => `${parent}/postgres`)

/** Takes a port once it is free, and keeps it. */
const occupy = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((socket) => socket.destroy())
      server.on("error", () => setImmediate(() => server.listen(port, "127.0.0.1")))
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

// Real processes take real time.
layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "The embedded PostgreSQL in use",
  (it) => {
    it.effect(
      "comes back with its port, password and rows when its postmaster is killed",
      () =>
        Effect.gen(function*() {
          const directory = yield* folder
          const user = yield* supervised(directory)
          const url = Redacted.make(yield* user.nextLine)
          yield* query(url, "create table kept as select 1 as one")
          const killed = yield* killPostmaster(directory)
          const from = Date.now()
          yield* until(Effect.map(answers(url), (answer) => answer && postmasterOf(directory) !== killed))
          assert.isBelow(Date.now() - from, 30_000)
          assert.deepStrictEqual(yield* query(url, "select * from kept"), [{ one: 1 }])
          assert.strictEqual(yield* user.end("SIGTERM"), 130)
          assert.isUndefined(postmasterOf(directory))
        })
    )

    it.effect(
      "is started once for all the processes that use it, however often it is killed, also while it starts",
      () =>
        Effect.gen(function*() {
          const directory = yield* folder
          const users = yield* Effect.all(Array.from({ length: 4 }, () => supervised(directory)), {
            concurrency: "unbounded"
          })
          const urls = yield* Effect.forEach(users, ({ nextLine }) => nextLine)
          const url = Redacted.make(urls[0] ?? "")
          assert.strictEqual(new Set(urls).size, 1)
          for (const _ of [1, 2, 3]) {
            const killed = yield* killPostmaster(directory)
            // The next server has written its process id and is still starting.
            yield* until(Effect.map(killPostmaster(directory), (next) => ![killed, undefined].includes(next)))
            yield* until(answers(url))
          }
          // Every process uses the server again: it lives until the last of them leaves.
          const seats = query(
            url,
            "select count(*)::int as seats from pg_locks where locktype = 'advisory' and granted"
          )
          yield* until(Effect.map(seats, ([row]) => row?.["seats"] === 4).pipe(Effect.orElseSucceed(() => false)))
          for (const user of users) {
            assert.isTrue(yield* answers(url))
            yield* user.end("SIGTERM")
          }
          assert.isFalse(yield* answers(url))
          assert.isUndefined(postmasterOf(directory))
        })
    )

    it.effect("is found by who comes while it is gone at the port that the others try", () =>
      Effect.gen(function*() {
        const directory = yield* folder
        const url = yield* Effect.scoped(Effect.gen(function*() {
          const user = yield* supervised(directory)
          const url = yield* user.nextLine
          yield* user.end("SIGKILL")
          yield* killPostmaster(directory)
          return url
        }))
        const again = yield* embeddedPostgres({ directory, settings: { fsync: "off" } })
        assert.strictEqual(Redacted.value(again), url)
      }))

    it.effect("is given up with the reason when it cannot come back", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const directory = yield* folder
        const user = yield* supervised(directory)
        yield* user.nextLine
        yield* fs.writeFileString(`${directory}/cluster/PG_VERSION`, "9.6\n")
        const from = Date.now()
        yield* killPostmaster(directory)
        assert.match(yield* user.lineOf(/did not come back/), /postgres ended and did not come back: .*incompatible/)
        assert.isAtLeast(Date.now() - from, 29_000)
        assert.strictEqual(yield* user.ended, 1)
      }))

    it.effect("is given up at once when another process has started it at another port", () =>
      Effect.gen(function*() {
        const directory = yield* folder
        const user = yield* supervised(directory)
        const { port } = new URL(yield* user.nextLine)
        // A frozen process does not notice the end of the server.
        yield* user.kill("SIGSTOP")
        yield* killPostmaster(directory)
        yield* occupy(Number(port))
        const moved = yield* embeddedPostgres({ directory, settings: { fsync: "off" } })
        assert.notStrictEqual(new URL(Redacted.value(moved)).port, port)
        yield* user.kill("SIGCONT")
        assert.match(yield* user.lineOf(/did not come back/), /another process has started it at port \d+$/)
        assert.strictEqual(yield* user.ended, 1)
        assert.isTrue(yield* answers(moved))
      }))
  }
)
