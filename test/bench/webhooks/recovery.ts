// npm run bench:webhooks:recovery: how long a lane stands still after SIGKILL ended its worker.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { PlatformLayer } from "../platformLayer.ts"
import { sized } from "../sized.ts"
import { exampleBody, fillPending, makeBenchClub, wakeAll } from "./Clubs.ts"
import { driverLayer, makeStand, type Stand, startWorker } from "./Stand.ts"
import { met, table } from "./tables.ts"
import { preciseNow } from "./trickle.ts"

/** The lease in seconds. The service's default is 30. */
const lease = sized(3, 1)

/** Seconds beyond the lease that the contract allows. */
const allowance = 2

/** Milliseconds after which the receiver has all requests of a dead worker. */
const lingering = 200

const env = { WEBHOOK_LEASE: `${lease} seconds` }

/** Milliseconds from a moment to the first attempt after it. */
const nextAttempt = Effect.fnUntraced(function*({ receivers }: Stand, from: number) {
  const first = (arrivals: ReadonlyArray<readonly [string, number]>) =>
    arrivals.find(([, at]) => at > from + lingering)?.[1]
  return yield* receivers.arrivals.pipe(
    Effect.delay("20 millis"),
    Effect.map(first),
    Effect.repeat({ until: (at) => at !== undefined, times: 3000 }),
    Effect.map((at) => (at ?? Infinity) - from)
  )
})

const killAll = Effect.fn("killAll")(function*(stand: Stand, kills: number) {
  const { receivers, secret } = stand
  // The receiver is slow, so that the lane is never empty.
  const club = yield* makeBenchClub(receivers.slow, { secret })
  yield* fillPending(club, sized(50_000, 5_000), yield* exampleBody)
  let holder = yield* startWorker(stand, { env })
  yield* wakeAll(club)
  const seconds: Array<number> = []
  for (let kill = 0; kill < kills; kill++) {
    yield* receivers.note
    yield* nextAttempt(stand, preciseNow())
    const heir = yield* startWorker(stand, { env })
    // Each kill comes at another moment between two heartbeats.
    yield* Effect.sleep(1000 + kill * lease * 1000 / 3 / kills)
    yield* receivers.note
    const killed = preciseNow()
    yield* holder.end("SIGKILL")
    seconds.push((yield* nextAttempt(stand, killed)) / 1000)
    holder = heir
  }
  return seconds
})

const run = Effect.fn("run")(function*({ kills }: { readonly kills: number }) {
  const stand = yield* makeStand()
  const seconds = yield* Effect.provide(killAll(stand, kills), driverLayer(stand))
  const beyond = Math.max(...seconds) - lease
  yield* Console
    .log(`A worker is killed while it sends in a lane; another one waits. The lease is ${lease} s. Seconds to the lane's next attempt.\n`)
  yield* Console.log(table(["kill", "s"], seconds.map((time, kill) => [`${kill + 1}`, time.toFixed(2)])))
  yield* Console
    .log(`\nLongest: lease ${beyond < 0 ? "-" : "+"} ${Math.abs(beyond).toFixed(2)} s, aim ≤ lease + ${allowance} s: ${
      met(beyond <= allowance)
    }`)
}, Effect.scoped)

Command.make("bench:webhooks:recovery", {
  kills: Flag.Int("kills").pipe(Flag.withDefault(sized(5, 1)), Flag.withDescription("Workers that are killed"))
}, run).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
