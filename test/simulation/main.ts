// Simulates a month of webhooks: `npm run simulate -- --seed 17`, or `--seed 1 --count 50` for several seeds.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Effect, Logger } from "effect"
import { SecureRandom } from "effect/crypto"
import "effect/schema/SchemaJITCompiler/enable"
import { parseArgs } from "node:util"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { makeLinks } from "./Links.ts"
import { prepare, simulate } from "./Simulation.ts"

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, count: { type: "string", default: "1" } }
})
const [first, count] = [Number(values.seed), Number(values.count)]

const throwaway = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }

const program = Effect.gen(function*() {
  const folder = yield* postgresFolder()
  const url = yield* embeddedPostgres({ directory: `${folder}/postgres`, settings: throwaway })
  yield* Effect.provide(migrate(), PgClient.layer({ url, maxConnections: 2 }))
  const links = yield* makeLinks(url)
  yield* prepare(links)
  for (let seed = first; seed < first + count; seed++) {
    const summary = yield* simulate(links, seed)
    yield* Effect.sync(() => process.stdout.write(`${JSON.stringify(summary)}\n`))
  }
}).pipe(Effect.scoped, Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto, Logger.layer([])]))

await Effect.runPromise(program)
