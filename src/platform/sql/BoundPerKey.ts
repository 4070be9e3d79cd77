import { Effect, type Scope, Semaphore } from "effect"

interface Gate {
  readonly semaphore: Semaphore.Semaphore
  /** How many have a place or wait for one. */
  users: number
}

/** Gives each key so many places at a time; the others wait in line. A key that nobody uses is forgotten. */
export const boundPerKey = (places: number): {
  /** Has a place of this key until the scope closes. */
  take(key: string): Effect.Effect<void, never, Scope.Scope>
  /** How many keys are in use. */
  readonly size: () => number
} => {
  const gates = new Map<string, Gate>()
  const enter = (key: string) => {
    const gate = gates.get(key) ?? { semaphore: Semaphore.makeUnsafe(places), users: 0 }
    gates.set(key, gate)
    gate.users += 1
    return gate
  }
  const leave = (key: string, gate: Gate) => {
    gate.users -= 1
    if (gate.users === 0) gates.delete(key)
  }
  return {
    take: (key) =>
      Effect.acquireRelease(Effect.sync(() => enter(key)), (gate) => Effect.sync(() => leave(key, gate))).pipe(
        Effect.flatMap(({ semaphore }) => semaphore.takeScoped(1))
      ),
    size: () => gates.size
  }
}
