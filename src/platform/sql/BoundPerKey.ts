import { Effect, type Scope, Semaphore } from "effect"

interface Gate {
  readonly semaphore: Semaphore.Semaphore
  /** Number of callers that have a place or wait for one. */
  users: number
}

/** The most callers that may have a place, and may wait for one, at a time. */
export interface BoundsPerKey {
  /** Of each key. */
  readonly places: number
  /** Of each key, beside those that have a place; any number unless said otherwise. */
  readonly waiting?: number
  /** Of all keys, with those that have a place; any number unless said otherwise. A key without one is always let in. */
  readonly inAll?: number
}

/** Gives each key so many places at a time; the others wait in line. A key that nobody uses is forgotten. */
export const boundPerKey = ({ inAll = Infinity, places, waiting = Infinity }: BoundsPerKey): {
  /** Has a place of this key until the scope closes. */
  take(key: string): Effect.Effect<void, never, Scope.Scope>
  /** Runs the work in a place of this key. Work that may not even wait fails with `full`. */
  run<A, E, R>(key: string, work: Effect.Effect<A, E, R>, full: Effect.Effect<never, E>): Effect.Effect<A, E, R>
  /** Number of keys in use. */
  readonly size: () => number
} => {
  const gates = new Map<string, Gate>()
  let all = 0
  const enter = (key: string) => {
    const gate = gates.get(key) ?? { semaphore: Semaphore.makeUnsafe(places), users: 0 }
    gates.set(key, gate)
    gate.users += 1
    all += 1
    return gate
  }
  const leave = (key: string, gate: Gate) => {
    gate.users -= 1
    all -= 1
    if (gate.users === 0) gates.delete(key)
  }
  const isFull = (key: string) => {
    const users = gates.get(key)?.users ?? 0
    return users > 0 && all >= inAll || users >= places + waiting
  }
  return {
    take: (key) =>
      Effect.acquireRelease(Effect.sync(() => enter(key)), (gate) => Effect.sync(() => leave(key, gate)))
        .pipe(Effect.flatMap(({ semaphore }) => semaphore.takeScoped(1))),
    run: (key, work, full) =>
      Effect.uninterruptibleMask((restore) => {
        if (isFull(key)) return restore(full)
        const gate = enter(key)
        return Effect.ensuring(
          restore(gate.semaphore.withPermit(work)),
          Effect.sync(() => leave(key, gate))
        )
      }),
    size: () => gates.size
  }
}
