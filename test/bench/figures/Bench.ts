import type { Effect, Layer } from "effect"
import type { PlatformLayer } from "../platformLayer.ts"
import type { Figure } from "./Figure.ts"

/** How long is measured; seconds of one round. */
export interface Length {
  readonly rounds: number
  readonly seconds: number
}

/** A benchmark as `npm run bench` takes it. */
export interface Bench {
  /** As in `npm run bench:<name>`. */
  readonly name: string
  /** What it takes in the short form. */
  readonly short: Length
  /** Prints its tables on the way, which the short form hides, and answers its figures. */
  readonly figures: (
    length: Length
  ) => Effect.Effect<ReadonlyArray<Figure>, unknown, Layer.Success<typeof PlatformLayer>>
}
