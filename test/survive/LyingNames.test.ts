import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { eventually } from "../harness/Eventually.ts"
import { startNameServer, type Zone } from "../harness/NameServer.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startService, toldTwice } from "./Service.ts"

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

/** The reason a process cannot have its own name servers here; undefined if it can. */
const impossible = () => {
  try {
    execFileSync("unshare", ["-m", "true"], { stdio: "pipe" })
    return undefined
  } catch {
    return "this machine gives nobody mounts of their own"
  }
}

const students = 10

const here = { A: [new Uint8Array([127, 0, 0, 1])] }
const inside = { A: [new Uint8Array([10, 0, 0, 1])] }
const both = { A: [...here.A, ...inside.A] }

/** The errors of all attempts at the endpoint of a path. */
const errorsAt = (path: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<{ readonly error: string | null; readonly longest: number }>`
      select a.error, max(a.duration_ms) as longest
      from webhook_attempts a
      join webhook_deliveries d on d.club_id = a.club_id and d.id = a.delivery_id
      join webhook_endpoints e on e.club_id = d.club_id and e.id = d.endpoint_id
      where e.url like ${`%/${path}`}
      group by a.error order by a.error`)

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "With name servers that are silent, lie or change their minds",
  (it) => {
    it.effect("attempts there end in time and reach nobody inside, others go on, and nothing is lost", (context) =>
      Effect.gen(function*() {
        const reason = impossible()
        if (reason !== undefined) return context.skip(reason)
        const names = ["silent", "garbage", "moved", "mixed"] as const
        const hostOf = (name: string) => `${name}.example.com`
        const zone: Zone = Object.fromEntries(names.map((name) => [hostOf(name), here]))
        const server = yield* startNameServer(zone)
        const fs = yield* FileSystem.FileSystem
        const resolv = `${yield* fs.makeTempDirectoryScoped()}/resolv.conf`
        yield* fs.writeFileString(resolv, `nameserver ${server.address}\n`)
        const url = yield* freshDatabaseUrl
        const { api, club, target, untilTold, worker } = yield* startService({
          url: Redacted.value(url),
          names: names.map(hostOf),
          program: "unshare",
          args: [
            "-m",
            "sh",
            "-c",
            `mount --bind "$0" /etc/resolv.conf && exec "$@"`,
            resolv,
            process.execPath,
            "src/cli/run.js"
          ],
          env: {
            WEBHOOK_ATTEMPT_TIMEOUT: "7 seconds",
            WEBHOOK_HOLD_BASE: "1 second",
            WEBHOOK_HOLD_MAX: "1 second",
            WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 30 }, () => "2 seconds").join()
          }
        })
        const { port } = new URL(target.urlOf("/"))
        for (const name of names) {
          yield* club.listenAt({ ...target, urlOf: (path) => `https://${hostOf(name)}:${port}${path}` }, `/${name}`)
        }
        zone[hostOf("silent")] = "silence"

        zone[hostOf("garbage")] = "garbage"
        zone[hostOf("moved")] = inside
        zone[hostOf("mixed")] = both

        for (let count = 0; count < students; count++) assert.strictEqual(yield* club.add, 201)
        yield* untilTold
        const pathsTold = () => new Set(target.posts.map(({ path }) => path))
        assert.deepStrictEqual([...pathsTold()], ["/hook"])
        yield* Effect.gen(function*() {
          const expected = { silent: "dns", garbage: "dns", moved: "address_not_allowed", mixed: "address_not_allowed" }
          for (const name of names) {
            const ended = yield* eventually(Effect.delay(errorsAt(name), "100 millis"), (errors) => errors.length > 0)
            assert.deepStrictEqual(ended.map(({ error }) => error), [expected[name]], name)
            assert.isBelow(ended[0]?.longest ?? 0, 7_500)
          }
        }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))

        for (const name of names) zone[hostOf(name)] = here
        yield* eventually(
          Effect.delay(
            Effect.sync(() => new Set(target.posts.map(({ event, path }) => `${path} ${event}`)).size),
            "50 millis"
          ),
          (count) => count === (1 + names.length) * students
        )
        assert.deepStrictEqual(toldTwice(target), [])
        assert.strictEqual(target.posts.length, (1 + names.length) * students)
        assert.deepStrictEqual([(yield* api.end()).code, (yield* worker.end()).code], [0, 0])
      }))
  }
)
