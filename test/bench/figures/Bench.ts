import type { Effect, Layer } from "effect"
import type { PlatformLayer } from "../platformLayer.ts"
import type { Figure } from "./Figure.ts"

/** The length of a benchmark: `seconds` is the length of one round. */
export interface Length {
  readonly rounds: number
  readonly seconds: number
}

/** A benchmark of `npm run bench`. */
export interface Bench {
  /** The name in `npm run bench:<name>`. */
  readonly name: string
  /** The length in the short form. */
  readonly short: Length
  /** Prints its tables, which the short form hides, and answers its figures. */
  readonly figures: (
    length: Length
  ) => Effect.Effect<ReadonlyArray<Figure>, unknown, Layer.Success<typeof PlatformLayer>>
}
