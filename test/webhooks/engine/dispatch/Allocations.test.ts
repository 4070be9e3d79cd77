import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { PlatformLayer } from "../../../bench/platformLayer.ts"
import { exampleBody, fillPending, makeBenchClub, untilIdle, wakeAll } from "../../../bench/webhooks/Clubs.ts"
import { driverLayer, equip, startWorker } from "../../../bench/webhooks/Stand.ts"
import { freshDatabaseUrl } from "../../../harness/Postgres.ts"

/** Bytes that a worker may allocate for one delivery: 1.5 times the 32 400 bytes measured at first. */
const atMost = 48_600

const warmUp = 6000
const deliveries = 3000

it.live("a delivery is sent and recorded with few bytes allocated", () =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const stand = yield* equip({ folder: yield* fs.makeTempDirectoryScoped(), database: yield* freshDatabaseUrl })
    const allocated = yield* Effect.gen(function*() {
      const club = yield* makeBenchClub(stand.receivers.prompt, stand)
      const body = yield* exampleBody
      const worker = yield* startWorker(stand, { env: { NODE_OPTIONS: "--import ./test/harness/allocations.ts" } })
      const signal = Effect.sync(() => process.kill(worker.pid, "SIGUSR2"))
      const drain = Effect.andThen(wakeAll(club), untilIdle(club))
      // Compiles the code first.
      yield* fillPending(club, warmUp, body)
      yield* drain
      yield* fillPending(club, deliveries, body)
      yield* signal
      yield* worker.until("allocations are counted")
      yield* drain
      yield* signal
      return Number(/\d+/.exec(yield* worker.until("allocated"))?.[0]) / deliveries
    }).pipe(Effect.provide(driverLayer(stand)))
    assert.isAtMost(allocated, atMost)
  }).pipe(Effect.scoped, Effect.provide(PlatformLayer)))
