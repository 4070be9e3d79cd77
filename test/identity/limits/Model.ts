import { Duration, Effect, Result, Schema } from "effect"
import { RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"

/** The window of every sequence. Steps are in seconds. The few limits and keys make windows fill and meet. */
const windowSeconds = 60

const Key = Schema.Literals(["ann", "bob"])
/** A request to the store. */
export const Asking = Schema.Union([
  Schema.Struct({ do: Schema.Literal("consume"), key: Key, limit: Schema.Literals([1, 2, 5]) }),
  Schema.Struct({ do: Schema.Literal("giveBack"), key: Key })
])
export const Wait = Schema.Struct({ do: Schema.Literal("wait"), seconds: Schema.Literals([10, 20, 30, 60]) })
const Step = Schema.Union([Asking, Wait])
export const Steps = Schema.Array(Step).check(Schema.isMaxLength(40))

export type Outcome = readonly [passed: boolean, remaining: number, reset_seconds: number]

/** The contract's fixed window in the plainest form: the answers to each `consume` of the sequence. */
export const expected = (steps: typeof Steps.Type): ReadonlyArray<Outcome> => {
  const windows = new Map<string, { opened: number; used: number }>()
  const outcomes: Array<Outcome> = []
  let now = 0
  for (const step of steps) {
    if (step.do === "wait") now += step.seconds
    if (step.do === "giveBack") {
      const window = windows.get(step.key)
      if (window !== undefined && now < window.opened + windowSeconds) window.used = Math.max(0, window.used - 1)
    }
    if (step.do === "consume") {
      const known = windows.get(step.key)
      const window = known === undefined || now >= known.opened + windowSeconds ? { opened: now, used: 0 } : known
      windows.set(step.key, window)
      const passed = window.used < step.limit
      if (passed) window.used += 1
      outcomes.push([passed, Math.max(0, step.limit - window.used), window.opened + windowSeconds - now])
    }
  }
  return outcomes
}

/** Sends the request to the store in the context. Undefined unless it is a `consume`. */
export const outcomeOf = Effect.fnUntraced(function*(step: typeof Asking.Type, scope: string) {
  const limiter = yield* RateLimiter
  const window = Duration.seconds(windowSeconds)
  if (step.do === "giveBack") return yield* Effect.as(limiter.giveBack(scope, step.key), undefined)
  const { key, limit } = step
  const taken = yield* limiter.consume({ scope, key, limit, window }).pipe(
    Effect.catchTag("CounterUnavailable", Effect.die),
    Effect.result
  )
  return Result.match(taken, {
    onSuccess: ({ remaining, reset_seconds }): Outcome => [true, remaining, reset_seconds],
    onFailure: ({ reset_seconds }): Outcome => [false, 0, reset_seconds]
  })
})

/** Runs the sequence against the store in the context. `scope` separates sequences, and `wait` lets time pass. */
export const observed = Effect.fn("observed")(function*<R>(
  steps: typeof Steps.Type,
  scope: string,
  wait: (seconds: number) => Effect.Effect<unknown, never, R>
) {
  const outcomes: Array<Outcome> = []
  for (const step of steps) {
    if (step.do === "wait") yield* wait(step.seconds)
    else {
      const outcome = yield* outcomeOf(step, scope)
      if (outcome !== undefined) outcomes.push(outcome)
    }
  }
  return outcomes
})
