import { Context, Effect, Layer } from "effect"

/**
 * `Effect.provide` for values that are built within a layer. The provided layer is the one that all others of the
 * process share, and lives for as long as the built layer. `Effect.provide` would build another and close it at once.
 */
export const provideShared =
  <ROut, E2, RIn>(layer: Layer.Layer<ROut, E2, RIn>) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const memoMap = Context.getOrUndefined(yield* Effect.context(), Layer.CurrentMemoMap)
      if (memoMap === undefined) return yield* Effect.die(new Error("Layers are shared only while one is built"))
      const shared = yield* Layer.buildWithMemoMap(layer, memoMap, yield* Effect.scope)
      return yield* Effect.provide(effect, shared)
    })
