import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { openCluster, run } from "../../src/platform/sql/PostgresCluster.ts"
import { postgresLayerAt } from "./Postgres.ts"
import { postgresFolder } from "./Watchdog.ts"

/** A test's own PostgreSQL server on a cluster in this folder. The test may stop and restart it at the same address. */
export const startPostgresIn = Effect.fnUntraced(function*(directory: string) {
  const url = yield* embeddedPostgres({ directory, settings: { fsync: "off" } })
  const { binaries, home, runAs } = yield* openCluster(directory, [])
  const { port } = new URL(Redacted.value(url))
  const pgCtl = (...args: ReadonlyArray<string>) =>
    Effect.orDie(run(`${binaries}/pg_ctl`, ["-D", `${home}/cluster`, "-w", "-s", ...args], runAs))
  const flags = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  return {
    url,
    directory,
    stop: pgCtl("stop", "-m", "immediate"),
    start: pgCtl("start", "-l", `${home}/server.log`, "-o", flags)
  }
})

/** The same on a new cluster. */
export const startOwnPostgres = Effect.flatMap(postgresFolder(), (folder) => startPostgresIn(`${folder}/postgres`))

/**
 * A migrated database on its own server, for tests that count pages. Dead rows stay on their pages until all older
 * transactions of the server have ended, even those of another database.
 */
export const LonelyPostgresLayer = Layer.unwrap(Effect.gen(function*() {
  const directory = `${yield* postgresFolder()}/postgres`
  const url = yield* embeddedPostgres({ directory, settings: { autovacuum: "off", fsync: "off" } })
  return Layer.effectDiscard(migrate()).pipe(Layer.provideMerge(postgresLayerAt(url, 10)))
})).pipe(Layer.provide([NodeServices.layer, SecureRandom.layerWebCrypto]), Layer.orDie)
