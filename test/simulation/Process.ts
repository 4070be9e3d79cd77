import { Clock, ConfigProvider, Context, Effect, Exit, type Fiber, Layer, Logger, Scheduler, Scope } from "effect"
import type { Client } from "./Client.ts"
import type { Dice } from "./Dice.ts"
import type { Link } from "./Links.ts"
import type { SimulatedTime, Sleeping } from "./Time.ts"

type State = Client["state"]

/** A process of the service. It can die, or freeze for a while, at any statement. */
export class Process implements Client, Sleeping {
  readonly name: string
  readonly links = new Set<Link>()
  /** Its log lines of errors. */
  readonly complaints: Array<string> = []
  state: State = "up"
  /** True while it shuts down in good order. */
  isStopping = false
  readonly #scope = Scope.makeUnsafe()
  readonly #base: Context.Context<never>
  readonly #dice: Dice
  #fate: { readonly state: "frozen" | "dead"; left: number } | undefined

  constructor(name: string, time: SimulatedTime, dice: Dice, variables: Readonly<Record<string, string>>) {
    this.name = name
    this.#dice = dice
    const complain = Logger.make(({ cause, logLevel, message }) => {
      if (logLevel === "Error" || logLevel === "Fatal") this.complaints.push(`${String(message)} ${String(cause)}`)
    })
    this.#base = Context.empty().pipe(
      Context.add(Clock.Clock, time.clockOf(this)),
      Context.add(Scheduler.Scheduler, time.scheduler),
      Context.add(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables)),
      Context.add(Logger.CurrentLoggers, new Set([complain]))
    )
  }

  alive(): boolean {
    return this.state === "up"
  }

  /** Runs in the process. If the process is dead, it has no result. */
  run<A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> {
    return Effect.runForkWith(this.#base)(effect)
  }

  /** Builds its layers. */
  start<A, E>(layer: Layer.Layer<A, E>): Fiber.Fiber<Context.Context<A>, E> {
    return this.run(Layer.buildWithScope(Layer.fresh(layer), this.#scope))
  }

  /** Stops as at SIGTERM. */
  stop(): Fiber.Fiber<void> {
    this.isStopping = true
    return this.run(Scope.close(this.#scope, Exit.void))
  }

  /** Dies, or freezes for a while, at one of its next statements. */
  doom(state: "frozen" | "dead", within: number): void {
    this.#fate = { state, left: this.#dice.between(0, within) }
  }

  thaw(): void {
    if (this.state === "frozen") this.state = "up"
    this.#fate = undefined
  }

  passed(moment: "before" | "after"): void {
    const fate = this.#fate
    if (fate === undefined || this.state !== "up") return
    if (moment === "before") fate.left -= 1
    // A frozen process with an open transaction would block all others.
    if (fate.left > 0 || (fate.state === "frozen" && (moment === "before" || this.links.size > 0))) return
    if (fate.left === 0 && moment === "before" && this.#dice.chance(0.5)) return
    this.state = fate.state
    this.#fate = undefined
  }
}
