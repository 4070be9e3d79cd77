import { Cause, type Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { MovedGuardLayer } from "../harness/MovedTime.ts"
import { Checks } from "./Checks.ts"
import { randomLayer } from "./Dice.ts"
import { readJournal } from "./Journal.ts"
import { Process } from "./Process.ts"
import { recoveryTimes } from "./RecoveryTimes.ts"
import { disableAfter } from "./Tellings.ts"
import { apiLayer, looks, settings } from "./Worker.ts"
import { type Ground, type Worker, Workers } from "./Workers.ts"

/** The services of the API of a simulation. */
export type Api = Layer.Success<typeof apiLayer> | SecureRandom.SecureRandom | SqlClient.SqlClient

/** A process of the API. */
interface Server {
  readonly process: Process
  readonly context: Context.Context<Api>
}

/** Milliseconds without trouble after which every lane has one owner again. */
const calming = 65_000

/** A rule was broken. */
export class Broken extends Error {}

/** Processes, receivers, time and the database, and the rules that hold among them. */
export class World {
  readonly checks: Checks
  readonly log: Array<string> = []
  readonly ground: Ground
  readonly workers: Workers
  #troubledAt: number
  #servers = 0
  #api: Server | undefined
  #together: Server & { readonly done: Deferred.Deferred<void> } | undefined

  constructor(ground: Ground) {
    this.ground = ground
    this.workers = new Workers(ground)
    this.checks = new Checks(ground.network)
    this.#troubledAt = ground.time.now()
  }

  now(): number {
    return this.ground.time.now()
  }

  note(line: string): void {
    this.log.push(`${new Date(this.now()).toISOString()} ${line}`)
  }

  startWorker(): void {
    this.#troubledAt = this.now()
    this.note(`${this.workers.start().name} starts`)
  }

  stopWorker(worker: Worker): void {
    this.#troubledAt = this.now()
    this.note(`${worker.process.name} stops`)
    this.workers.stop(worker)
  }

  /** Kills it now, as kill -9 does. */
  kill({ process }: Worker): Effect.Effect<void> {
    process.state = "dead"
    return this.ground.gate.bury(process)
  }

  /** Lets a frozen worker go on, and takes away its doom. */
  thaw({ process }: Worker): void {
    this.#troubledAt = this.now()
    if (process.state === "frozen") {
      this.note(`${process.name} goes on`)
      this.checks.saw("stood still")
    }
    process.thaw()
  }

  /** Runs an effect in the API and answers its exit; undefined if the process died during it. */
  inApi<A, E>(effect: Effect.Effect<A, E, Api>): Effect.Effect<Exit.Exit<A, E> | undefined> {
    return Effect.map(this.allInApi([effect]), ([exit]) => exit)
  }

  /** The same for several effects at once. */
  allInApi<A, E>(
    effects: ReadonlyArray<Effect.Effect<A, E, Api>>
  ): Effect.Effect<ReadonlyArray<Exit.Exit<A, E> | undefined>> {
    return Effect.suspend(() => {
      const server = this.#together
      return server === undefined ? this.together(this.allInApi(effects)) : this.#ask(server, effects)
    })
  }

  #ask<A, E>(
    { context, done, process }: Server & { readonly done: Deferred.Deferred<void> },
    effects: ReadonlyArray<Effect.Effect<A, E, Api>>
  ): Effect.Effect<ReadonlyArray<Exit.Exit<A, E> | undefined>> {
    return Effect.gen({ self: this }, function*() {
      const fibers = effects.map((effect) => process.run(Effect.provideContext(effect, context)))
      yield* Deferred.await(done)
      const exits = fibers.map((fiber) => fiber.pollUnsafe())
      for (const exit of exits) {
        if (exit !== undefined && Exit.isFailure(exit) && Cause.hasDies(exit.cause)) {
          throw new Broken(`The API met a defect: ${Cause.pretty(exit.cause)}`)
        }
      }
      return exits
    })
  }

  /** The first requests of `ask` to the API run at the same time, together with all that falls due by then. */
  together<A>(ask: Effect.Effect<A>, at: number = this.now()): Effect.Effect<A> {
    return Effect.gen({ self: this }, function*() {
      const done = yield* Deferred.make<void>()
      this.#together = { ...(yield* this.#server()), done }
      const fiber = yield* Effect.forkChild(ask, { startImmediately: true })
      yield* this.ground.time.quiet()
      this.#together = undefined
      yield* this.#wake(at)
      yield* this.settle()
      yield* Deferred.succeed(done, undefined)
      return yield* Fiber.join(fiber)
    })
  }

  /** The API's process dies at one of its next statements. */
  doomApi(within: number): Effect.Effect<void> {
    return Effect.map(this.#server(), ({ process }) => process.doom("dead", within))
  }

  #server(): Effect.Effect<Server> {
    return Effect.gen({ self: this }, function*() {
      if (this.#api !== undefined && this.#api.process.state === "up") return this.#api
      const { dice, gate, time } = this.ground
      this.#servers += 1
      const process = new Process(`api${this.#servers}`, time, dice.fork(), settings)
      const fiber = process.start(apiLayer.pipe(
        Layer.provide(MovedGuardLayer),
        Layer.provideMerge(gate.clientOf(process)),
        Layer.provideMerge(randomLayer(dice.fork()))
      ))
      yield* this.settle()
      const exit = fiber.pollUnsafe()
      if (exit === undefined || Exit.isFailure(exit)) throw new Broken(`The API does not start: ${String(exit)}`)
      const server = { process, context: exit.value }
      this.#api = server
      return server
    })
  }

  /** Lets all processes go on until they wait for time, and checks the rules. */
  settle(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      const { gate, network } = this.ground
      while (true) {
        const before = gate.statements
        yield* gate.settle()
        this.#mourn()
        if (before === gate.statements && network.posts.length === this.checks.judged) break
        const changes = yield* readJournal(gate)
        this.checks.changed(changes, { now: this.now(), isCalm: this.isCalm() })
        this.#complain()
        const isWake = changes.some(({ is, was, what }) => what === "webhook_lanes" && is?.["wakes"] !== was?.["wakes"])
        if (!isWake) break
        for (const { notify } of this.workers.all) yield* notify
      }
      const isWorked = this.isCalm() && this.workers.able().length > 0
      this.checks.alive({ now: this.now(), isWorked, settled: this.#troubledAt })
      this.#complain()
    })
  }

  #mourn(): void {
    if (this.workers.all.some(({ process }) => process.state !== "up")) this.#troubledAt = this.now()
    for (const { name } of this.workers.mourn()) {
      this.note(`${name} is killed`)
      this.checks.saw("killed")
    }
  }

  #complain(): void {
    const complaints = this.workers.all.flatMap(({ process }) => process.complaints)
    const problems = [...this.checks.problems, ...this.ground.gate.errors, ...complaints]
    if (problems.length > 0) throw new Broken(problems.join("\n"))
  }

  /** True if no process died, froze or started lately. Then every lane has one living owner. */
  isCalm(): boolean {
    return this.now() - this.#troubledAt > calming
  }

  /** The time of the next event: a wait ends, something falls due, or a lease must be extended or runs out. */
  next(): number {
    const now = this.now()
    const { network, time } = this.ground
    const able = this.workers.able().map(({ process }) => process)
    if (able.length === 0) return Math.ceil(time.next())
    const { deliveries, lanes, outbox } = this.checks.shadow
    const beats = able.filter((process) => network.open().some(({ sender }) => sender === process))
      .map((process) => time.nextLook(process, looks.heartbeat))
    const moments = [
      ...[...lanes.values()].flatMap(({ dueAt, failingSince, holdUntil }) => [
        dueAt ?? 0,
        holdUntil ?? 0,
        failingSince === null ? 0 : failingSince + disableAfter
      ]),
      ...[...deliveries.values()].map(({ state }) => state.next_attempt_at?.epochMilliseconds ?? 0),
      ...[...outbox.values()].map(({ due }) => due),
      ...this.checks.untold.endings(this.checks.shadow)
    ].filter((at) => at > now)
    const isWaiting = this.checks.waiting(now)
      .some(({ lane }) => lane === undefined || lane.lease === null || this.isCalm())
    const look = isWaiting ? [now + looks.dispatch] : []
    const recoveries = [...recoveryTimes(this.checks.shadow, now).values()]
      .map((at) => at > now ? at : now + looks.recovery)
    const sweeps = this.checks.overdue(now).length > 0 ? able.map((one) => time.nextLook(one, looks.disabling)) : []
    const notices = this.checks.untold.isWaiting() ? able.map((one) => time.nextLook(one, looks.notices)) : []
    const gradings = this.checks.grades.due().map((at) => at > now ? at : now + looks.gradings)
    const sought = [...look, ...sweeps, ...recoveries, ...notices, ...gradings]
    return Math.ceil(Math.min(time.next(), ...beats, ...moments, ...sought))
  }

  goTo(at: number): Effect.Effect<void> {
    return Effect.andThen(this.#wake(at), this.settle())
  }

  #wake(at: number): Effect.Effect<void> {
    const moment = Math.max(at, this.now())
    const { lanes, outbox } = this.checks.shadow
    const isDue = this.checks.waiting(moment).length > 0 ||
      [...lanes.values()].some(({ dueAt }) => dueAt !== null && dueAt <= moment)
    const finds = new Map([
      [looks.dispatch, isDue],
      [looks.recovery, [...recoveryTimes(this.checks.shadow, moment).values()].some((at) => at <= moment)],
      [looks.gradings, this.checks.grades.due().some((at) => at <= moment)],
      [looks.assembly, [...outbox.values()].some(({ due }) => due <= moment)],
      [looks.disabling, this.checks.overdue(moment).length > 0],
      [looks.inboxes, this.checks.inboxes.paths.size > 0]
    ])
    return this.ground.time.goTo(moment, (millis) => finds.get(millis) ?? true)
  }
}
