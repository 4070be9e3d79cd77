import { Effect, Fiber } from "effect"
import { freePort } from "../harness/FreePort.ts"
import { Dice } from "../simulation/Dice.ts"
import { openActivity } from "./Activity.ts"
import { clockJumps } from "./ClockJumps.ts"
import { settled } from "./Ledger.ts"
import { outagesOf } from "./Outages.ts"
import { type Stand, startStandApi } from "./Stand.ts"
import { keepWorkers } from "./Workers.ts"

export interface ChaosOptions {
  /** How long it lasts. It may then take as long again until no work remains. */
  readonly seconds: number
  readonly seed: number
  /** It goes on until this many workers were killed: on a slow machine they spend most of the time starting. */
  readonly leastKills: number
  /** Milliseconds from an answer to its recorded result on this machine, at most. */
  readonly recording: number
}

const workers = 3

/** Seconds after the last kill within which all work must end. */
const mostSettling = 180

/** The API on one port. It can be killed and started again. */
const keepApi = Effect.fnUntraced(function*(stand: Stand) {
  const port = yield* freePort
  let api = yield* startStandApi(stand, port)
  let kills = 0
  // It cannot start while PostgreSQL is away.
  const start = Effect.catchCause(startStandApi(stand, port), () => Effect.sleep("300 millis"))
    .pipe(Effect.repeat({ until: (started) => started !== undefined }))
  const restart = Effect.gen(function*() {
    yield* api.end("SIGKILL")
    kills += 1
    api = (yield* start) ?? api
  }).pipe(Effect.uninterruptible)
  return { url: api.url, restart, kills: () => kills, end: Effect.suspend(() => api.end()) }
})

/**
 * Runs three workers and the API on one PostgreSQL and one Redis, under load. Every second or two one worker is killed
 * and another one started, and now and then the API. PostgreSQL and Redis each go away once. Then all recovers, and it
 * waits until no work remains.
 */
export const chaos = Effect.fn("chaos")(
  function*(stand: Stand, { leastKills, recording, seconds, seed }: ChaosOptions) {
    const dice = new Dice(seed)
    const outages = outagesOf(stand)

    const api = yield* keepApi(stand)
    const activity = yield* openActivity({ stand, api: api.url, dice, withoutRedis: outages.redisIsAway })
    const crew = yield* keepWorkers(stand, workers, outages)
    const manning = yield* Effect.forkScoped(crew.run)
    const manned = Effect.sleep("50 millis").pipe(Effect.repeat({ until: () => crew.ready().length === workers }))
    yield* manned

    // If workers start slowly, they also live longer. Otherwise a busy machine would only ever start them.
    const kill = Effect.suspend(() => Effect.sleep(dice.between(700, 1100))).pipe(
      Effect.andThen(Effect.suspend(() => dice.chance(0.3) ? Effect.void : manned)),
      Effect.andThen(crew.kill(dice)),
      Effect.forever
    )

    // Not while Redis is away, since that time is for the API without Redis.
    const killApi = Effect.sleep(Math.max(4000, seconds * 125)).pipe(
      Effect.andThen(Effect.suspend(() => outages.redisIsAway() ? Effect.void : api.restart)),
      Effect.forever
    )

    const clocks = clockJumps(crew, dice.fork())
    const script = Effect.gen(function*() {
      yield* Effect.sleep(seconds * 1000 * 0.4)
      yield* outages.database
      yield* Effect.sleep(seconds * 1000 * 0.3)
      yield* outages.redis
      yield* Effect.sleep(seconds * 1000 * 0.3)
      const isEnough = () => crew.kills.length >= leastKills && clocks.jumps.length > 0 && activity.isTried()
      yield* Effect.sleep("100 millis").pipe(Effect.repeat({ until: isEnough }))
    })
    const loading = yield* Effect.forkScoped(activity.run)
    const killing = yield* Effect.forkScoped(Effect.all([kill, killApi, clocks.run], { concurrency: "unbounded" }))
    yield* script
    yield* Fiber.interrupt(killing)
    yield* Fiber.interrupt(loading)

    yield* stand.target.recover
    const calm = Date.now()
    yield* activity.recover
    const left = yield* settled(mostSettling)
    const settling = Date.now() - calm
    yield* activity.readOn
    const { code, stderr } = yield* api.end
    yield* Fiber.interrupt(manning)

    return {
      ...yield* activity.judge({ kills: [...crew.kills, ...clocks.jumps], outages: outages.ofDatabase, recording }),
      apiKills: api.kills(),
      kills: crew.kills.length,
      starts: crew.starts(),
      clockJumps: clocks.jumps.length,
      outage: outages.ofDatabase.map(({ from, until }) => until - from),
      settling,
      left,
      ends: crew.ends,
      /** The end of the API after SIGTERM: it should be 0 and silent. */
      api: { code, stderr }
    }
  },
  Effect.scoped
)
export type Outcome = Effect.Success<ReturnType<typeof chaos>>
