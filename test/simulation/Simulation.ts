import { Cause, Effect, Exit } from "effect"
import { change, create, enableAll, recover, remove, resend, rotate, status, test } from "./Administration.ts"
import { diagnose } from "./Diagnosing.ts"
import { Dice } from "./Dice.ts"
import { judgeEnd } from "./Endings.ts"
import { foundClub } from "./Facts.ts"
import { Gate } from "./Gate.ts"
import { grade, gradeAmongDeaths } from "./Grading.ts"
import { forget, installJournal } from "./Journal.ts"
import type { Links } from "./Links.ts"
import { Network } from "./Network.ts"
import { leaveInboxes, play } from "./Playing.ts"
import { readFeed, readFeeds } from "./Readers.ts"
import { continueAll, recoverAsJob } from "./Recovering.ts"
import { Scene } from "./Scene.ts"
import { changeMood, erase, facts, read } from "./Steps.ts"
import { SimulatedTime } from "./Time.ts"
import { hitch, looks } from "./Worker.ts"
import { Broken, World } from "./World.ts"

const minute = 60_000
const day = 1440 * minute
const begin = Date.parse("2026-01-05T00:00:00Z")

/** The least length of a simulation, in milliseconds. */
const length = 30 * day
const steps = 62
/** Stops of the clock on the way to one moment. After these the workers stop until that moment. */
const mostStops = 25

/** The result of a simulation. */
export interface Summary {
  readonly seed: number
  readonly days: number
  readonly statements: number
  readonly posts: number
  readonly probes: number
  readonly deliveries: number
  /** Number of times that each event happened, by its name. */
  readonly seen: Readonly<Record<string, number>>
}

class Simulation {
  readonly #world: World
  readonly #scene: Scene
  readonly #dice: Dice
  /** Workers that still have to die during one grading, and during another. This seldom happens by itself. */
  readonly #deaths = [1, 3]

  constructor(scene: Scene) {
    this.#scene = scene
    this.#world = scene.world
    this.#dice = scene.world.ground.dice
  }

  run(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      this.#world.startWorker()
      yield* this.#world.settle()
      for (let left = this.#dice.between(2, 5); left > 0; left--) yield* create(this.#scene)
      for (let step = 0; step < steps; step++) {
        yield* this.#something()
        yield* this.#world.settle()
        yield* this.#passTime(step)
      }
      yield* this.#end()
    })
  }

  #something(): Effect.Effect<unknown> {
    const dice = this.#dice
    if (dice.chance(0.1)) return this.#workers()
    if (dice.chance(0.1)) return Effect.sync(() => changeMood(this.#scene))
    const deaths = this.#deaths.at(-1)
    if (deaths !== undefined && dice.chance(0.1)) {
      return Effect.map(gradeAmongDeaths(this.#scene, deaths), (haveDied) => {
        if (haveDied) this.#deaths.pop()
      })
    }
    // Different actions: the outcome of two of a kind at once is not known.
    const several = new Set(Array.from({ length: dice.chance(0.3) ? dice.between(2, 4) : 1 }, () => this.#asked()))
    const soon = this.#next()
    const at = dice.chance(0.7) && soon < this.#world.now() + 10 * minute ? soon : this.#world.now()
    this.#scene.focus = several.size > 1 ? this.#scene.some() : undefined
    const all = [...several].map((one) => one(this.#scene))
    return this.#world.together(Effect.all(all, { concurrency: "unbounded", discard: true }), at)
  }

  /** The time of the next event, or a little later: then several events happen at once. */
  #next(): number {
    return this.#world.next() + this.#dice.weighted([[3, 0], [1, 50], [1, 600], [1, hitch]])
  }

  /** A random request of a person to the API. */
  #asked(): (scene: Scene) => Effect.Effect<void> {
    return this.#dice.weighted([
      [24, facts],
      [2, create],
      [6, status],
      [4, change],
      [3, rotate],
      [1, remove],
      [4, test],
      [7, resend],
      [3, recover],
      [6, recoverAsJob],
      [this.#scene.isPlaying() ? 12 : 2, play],
      [2, grade],
      [3, readFeed],
      [4, diagnose],
      [4, erase],
      [3, read]
    ])
  }

  #workers(): Effect.Effect<void> {
    const world = this.#world
    const dice = this.#dice
    const { all } = world.workers
    const frozen = all.find(({ process }) => process.state === "frozen")
    if (frozen !== undefined && dice.chance(0.6)) return Effect.sync(() => world.thaw(frozen))
    const worker = dice.pick(all)
    if (worker === undefined || (all.length < 3 && dice.chance(0.4))) return Effect.sync(() => world.startWorker())
    const within = dice.pick([2, 10, 40]) ?? 2
    return dice.weighted([
      [2, Effect.sync(() => world.stopWorker(worker))],
      [2, Effect.suspend(() => world.kill(worker))],
      [4, Effect.sync(() => worker.process.doom("dead", within))],
      [3, Effect.sync(() => worker.process.doom("frozen", within))],
      [3, world.doomApi(dice.between(0, 8))]
    ])
  }

  /** Lets seconds, hours or days pass, and at least thirty days in all. */
  #passTime(step: number): Effect.Effect<void> {
    const dice = this.#dice
    const now = this.#world.now()
    const behind = begin + (length * (step + 1)) / steps - now
    // While requests are under way, most steps follow each other closely, so they meet these requests.
    if (this.#world.ground.network.open().length > 0 && dice.chance(0.6)) return this.#goTo(now + dice.between(0, 400))
    // An inbox lives for an hour.
    if (this.#scene.isPlaying() && dice.chance(0.7)) return this.#goTo(now + dice.between(0, 120_000))
    const [least, most] = dice.weighted<readonly [number, number]>([
      [5, [0, 3000]],
      [4, [3000, 10 * minute]],
      [2, [10 * minute, 8 * 60 * minute]],
      [behind > day ? 6 : 0, [0, 2 * behind]]
    ])
    return this.#goTo(now + dice.between(least, most))
  }

  #goTo(at: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      const world = this.#world
      for (let stops = 0; world.now() < at; stops++) {
        const next = this.#next()
        if (next > at) break
        if (stops > mostStops) return yield* this.#outage(at)
        yield* world.goTo(next)
      }
      yield* world.goTo(at)
    })
  }

  /** No worker runs for a while. */
  #outage(at: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      const world = this.#world
      for (const worker of world.workers.all) {
        if (worker.process.state === "frozen") yield* world.kill(worker)
        else if (!worker.process.isStopping) world.stopWorker(worker)
      }
      for (let stops = 0; world.workers.all.length > 0 && stops < 100; stops++) {
        yield* world.goTo(Math.min(world.next(), at))
      }
      yield* world.goTo(at)
      world.startWorker()
      yield* world.settle()
    })
  }

  /** Moves on until nothing happens for two days. */
  #rest(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      for (let stops = 0; stops < 300; stops++) {
        const next = this.#world.next()
        if (next > this.#world.now() + 2 * day) return
        yield* this.#world.goTo(next)
      }
    })
  }

  /** All receivers become healthy, and everything comes to its end. */
  #end(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      const world = this.#world
      const { network } = world.ground
      yield* this.#goTo(begin + length)
      world.note("all is well again")
      for (const worker of world.workers.all) world.thaw(worker)
      for (const path of network.moods.keys()) network.moods.set(path, "up")
      if (world.workers.able().length === 0) world.startWorker()
      yield* world.settle()
      yield* leaveInboxes(this.#scene)
      yield* enableAll(this.#scene)
      yield* continueAll(this.#scene)
      yield* rotate(this.#scene)
      yield* this.#rest()
      // Deliveries that became too old meanwhile expire at the next look of the retention loop.
      yield* world.goTo(world.now() + Math.ceil(looks.retention))
      yield* this.#rest()
      yield* readFeeds(this.#scene)
      const problems = judgeEnd(world.checks, network)
      if (problems.length > 0) throw new Broken(problems.join("\n"))
    })
  }
}

/** Simulates a month. If a rule is broken, it dies with the seed and all that happened. */
export const simulate = Effect.fnUntraced(function*(links: Links, seed: number) {
  const dice = new Dice(seed)
  const time = yield* SimulatedTime.make(begin, new Set(Object.values(looks)))
  const gate = new Gate(links, dice, time)
  const network = new Network(dice, time)
  yield* forget(gate, begin)
  const world = new World({ dice, gate, network, time })
  const clubs = [yield* foundClub(gate, dice, begin), yield* foundClub(gate, dice, begin)]
  const exit = yield* Effect.exit(new Simulation(new Scene(world, clubs)).run())
  if (Exit.isFailure(exit)) {
    const story = [...world.log, "The latest statements:", ...gate.trace()].join("\n")
    throw new Broken(`Seed ${seed} breaks a rule.\n${story}\n${Cause.pretty(exit.cause)}`)
  }
  const summary: Summary = {
    seed,
    days: (time.now() - begin) / day,
    statements: gate.statements,
    posts: network.posts.length,
    probes: network.probes,
    deliveries: world.checks.shadow.deliveries.size,
    seen: Object.fromEntries([...world.checks.seen].toSorted())
  }
  return summary
})

/** Prepares the database for simulations. */
export const prepare = (links: Links): Effect.Effect<void> =>
  installJournal(new Gate(links, new Dice(0), { quiet: () => Effect.void }))
