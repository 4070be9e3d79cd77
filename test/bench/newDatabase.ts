import { Effect } from "effect"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { command } from "../harness/Packages.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { isTiny } from "./sized.ts"

/** The variable that says where `npm run check:bench` keeps a migrated cluster, which a benchmark then need not make. */
export const templateVariable = "BENCH_CLUSTER"

/** Makes the cluster that benchmarks copy, and leaves it stopped. */
export const makeTemplate = Effect.fn("makeTemplate")(function*(directory: string) {
  const url = yield* embeddedPostgres({ directory, settings: { fsync: "off" } })
  yield* Effect.provide(migrate(), connectionsLayer({ url, connections: 4 }))
}, Effect.scoped)

/** A folder for a cluster of a benchmark's own, `<folder>/postgres`, removed with the scope: a copy if one was made for all. */
export const newCluster = Effect.gen(function*() {
  const folder = yield* postgresFolder()
  const directory = `${folder}/postgres`
  const template = process.env[templateVariable]
  if (template !== undefined) yield* Effect.orDie(command("cp", "-a", template, directory))
  return { folder, directory }
})

/** Whoever only has to show that it runs need not survive a loss of power. */
const tiny = isTiny ? { fsync: "off" } : {}

/** Such a cluster with its server, which has these settings beside the defaults. */
export const newDatabase = Effect.fn("newDatabase")(function*(settings: Readonly<Record<string, string>> = {}) {
  const { directory, folder } = yield* newCluster
  return { directory, folder, database: yield* embeddedPostgres({ directory, settings: { ...settings, ...tiny } }) }
})
