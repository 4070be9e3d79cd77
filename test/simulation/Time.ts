import { type Clock, Duration, Effect, Latch, type Scheduler } from "effect"
import { TestClock } from "effect/testing"
import { countingScheduler } from "../harness/CountingScheduler.ts"

/** The owner of sleeping fibers. Nothing waits for the fibers of a dead process. */
export interface Sleeping {
  alive(): boolean
}

interface Sleeper {
  readonly at: number
  readonly millis: number
  readonly owner: Sleeping
  /** Set in a loop that only looks for work. It wakes after time has passed it; the clock does not stop for it. */
  readonly idle: Latch.Latch | undefined
}

/** The time of a simulation: a `TestClock` that knows when its next sleeper wakes. */
export class SimulatedTime {
  readonly scheduler: Scheduler.Scheduler
  readonly #clock: TestClock.TestClock
  readonly #looks: ReadonlySet<number>
  readonly #left: { readonly tasks: number }
  readonly #sleepers = new Set<Sleeper>()

  private constructor(clock: TestClock.TestClock, looks: ReadonlySet<number>) {
    const { left, scheduler } = countingScheduler()
    this.#clock = clock
    this.#looks = looks
    this.#left = left
    this.scheduler = scheduler
  }

  /** `looks` are the waits, in milliseconds, of loops that only look for work. */
  static make(start: number, looks: ReadonlySet<number>): Effect.Effect<SimulatedTime> {
    // Once the clock has moved, it does not complain about fibers that wait for it.
    const clock = Effect.tap(TestClock.make(), (made) => made.setTime(start))
    return Effect.map(Effect.scoped(clock), (made) => new SimulatedTime(made, looks))
  }

  now(): number {
    return this.#clock.currentTimeMillisUnsafe()
  }

  /** The clock of one process. */
  clockOf(owner: Sleeping): Clock.Clock {
    return { ...this.#clock, sleep: (duration) => this.#sleep(owner, Duration.toMillis(duration)) }
  }

  #sleep(owner: Sleeping, millis: number): Effect.Effect<void> {
    if (millis <= 0) return Effect.void
    return Effect.suspend(() => {
      const idle = this.#looks.has(millis) ? Latch.makeUnsafe() : undefined
      const sleeper = { at: this.now() + millis, millis, owner, idle }
      return Effect.acquireUseRelease(
        Effect.sync(() => void this.#sleepers.add(sleeper)),
        () => idle === undefined ? this.#clock.sleep(Duration.millis(millis)) : idle.await,
        () => Effect.sync(() => void this.#sleepers.delete(sleeper))
      )
    })
  }

  /** The time at which the next fiber wakes that does not only look for work; infinity without one. */
  next(): number {
    let next = Infinity
    for (const { at, idle, owner } of this.#sleepers) {
      if (at < next && idle === undefined && owner.alive()) next = at
    }
    return next
  }

  /** The next look of this process in its loop with waits of this length; infinity without one. */
  nextLook(owner: Sleeping, millis: number): number {
    let next = Infinity
    for (const sleeper of this.#sleepers) {
      if (sleeper.owner === owner && sleeper.millis === millis && sleeper.at < next) next = sleeper.at
    }
    return next
  }

  /**
   * Moves on and wakes the fibers that are due. A loop that only looks for work sleeps on, unless `finds` says that a
   * look with this wait would find some.
   */
  goTo(at: number, finds: (millis: number) => boolean): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      yield* this.#clock.setTime(at)
      for (const sleeper of this.#sleepers) {
        if (sleeper.idle !== undefined && sleeper.at <= at && finds(sleeper.millis)) sleeper.idle.openUnsafe()
      }
      yield* this.quiet()
    })
  }

  /** Ends once every fiber waits for time, the database or the network. It runs at every statement. */
  quiet(): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      let calm = 0
      const look = () => {
        calm = this.#left.tasks === 0 ? calm + 1 : 0
        if (calm === 2) resume(Effect.void)
        else setImmediate(look)
      }
      setImmediate(look)
    })
  }
}
