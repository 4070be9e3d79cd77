import { Effect } from "effect"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { command } from "../harness/Packages.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { isTiny } from "./sized.ts"

/** The path of a migrated cluster for benchmarks to copy. `npm run check:bench` sets this variable. */
export const templateVariable = "BENCH_CLUSTER"

/** Makes the cluster that benchmarks copy, and leaves it stopped. */
export const makeTemplate = Effect.fn("makeTemplate")(function*(directory: string) {
  const url = yield* embeddedPostgres({ directory, settings: { fsync: "off" } })
  yield* Effect.provide(migrate(), connectionsLayer({ url, connections: 4 }))
}, Effect.scoped)

/** A folder for a benchmark's own cluster, `<folder>/postgres`, until the scope closes: a copy of any template. */
export const newCluster = Effect.gen(function*() {
  const folder = yield* postgresFolder()
  const directory = `${folder}/postgres`
  const template = process.env[templateVariable]
  if (template !== undefined) yield* Effect.orDie(command("cp", "-a", template, directory))
  return { folder, directory }
})

/** A tiny run does not need to survive a loss of power. */
const tiny = isTiny ? { fsync: "off" } : {}

/** A cluster with a server of its own, with these settings beside the defaults. */
export const newDatabase = Effect.fn("newDatabase")(function*(settings: Readonly<Record<string, string>> = {}) {
  const { directory, folder } = yield* newCluster
  return { directory, folder, database: yield* embeddedPostgres({ directory, settings: { ...settings, ...tiny } }) }
})
