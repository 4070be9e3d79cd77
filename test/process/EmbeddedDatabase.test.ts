import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { embeddedUrl, killPostmaster } from "../harness/Postmaster.ts"
import { ask, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"

// Takes long: it kills a database server again and again, until the service gives up.

/** Waits until the service is ready. */
const backAt = (url: string) =>
  Effect.map(ask(`${url}/v1/health/ready`), ({ status }) => status).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: (status) => status === 200 })
  )

const checkpoint = (directory: string) =>
  Effect.scoped(Effect.flatMap(PgConnection.make({ url: embeddedUrl(directory) }), ({ query }) => query("checkpoint")))

layer(NodeServices.layer, { excludeTestServices: true })(
  "The service on its own database",
  (it) => {
    it.effect(
      "serves again within 5 seconds of the database's end, and ends when it does not come back",
      () =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const DATA_DIR = yield* postgresFolder()
          const directory = `${DATA_DIR}/postgres`
          const turma = yield* startApi({ env: { DATA_DIR, LOG_FORMAT: "json" } })

          // The schema is new, so a recovery without this would write much, which takes long on a slow disk.
          yield* checkpoint(directory)
          const from = Date.now()
          yield* killPostmaster(directory)
          yield* turma.until("has ended and is started again")
          yield* turma.until("is back after")
          yield* backAt(turma.url)
          assert.isBelow(Date.now() - from, 5000)

          yield* fs.writeFileString(`${directory}/cluster/PG_VERSION`, "9.6\n")
          const before = turma.said.stdout.length
          yield* killPostmaster(directory)
          const { code, stderr, stdout } = yield* turma.ended
          assert.strictEqual(code, 1)
          assert.match(stderr, /^turma: PostgreSQL under \S+ ended and did not come back: .*incompatible[^\n]*\n$/)
          // For half a minute the workers cannot work. Each logs a few lines, not one for each attempt.
          const lines = stdout.slice(before).trim().split("\n").filter((line) => /"level":"(?:WARN|ERROR)"/.test(line))
          const texts = lines.map((line) => line.replaceAll(/"(?:timestamp|fiberId)":"[^"]*",?|"repeated":\d+/g, ""))
          const most = Math.max(...[...Map.groupBy(texts, (text) => text).values()].map((same) => same.length))
          assert.isAtMost(most, 2)
          assert.isBelow(lines.length, 200)
        })
    )
  }
)
