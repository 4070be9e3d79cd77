import { Layer, Random } from "effect"
import { SecureRandom } from "effect/crypto"

const scramble = (seed: number): () => number => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e37_79b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}

/** The dice decide all chance of a simulation. The same seed throws the same. */
export class Dice {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = scramble(seed)
    for (let round = 0; round < 8; round++) this.#next()
  }

  /** In [0, 1). */
  unit(): number {
    return this.#next() / 2 ** 32
  }

  /** From `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  /** Undefined for an empty list. */
  pick<const A>(from: ReadonlyArray<A>): A | undefined {
    return from[Math.floor(this.unit() * from.length)]
  }

  /** One of these, each as often as its weight says. */
  weighted<const A>(options: readonly [readonly [number, A], ...ReadonlyArray<readonly [number, A]>]): A {
    let left = this.unit() * options.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, option] of options) {
      left -= weight
      if (left < 0) return option
    }
    return options[0][1]
  }

  /** Some of the list, in its order. */
  some<A>(from: ReadonlyArray<A>, probability: number): ReadonlyArray<A> {
    return from.filter(() => this.chance(probability))
  }

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => this.#next() & 0xff)
  }

  /** New dice for a process. */
  fork(): Dice {
    return new Dice(this.#next())
  }
}

/** Effect's random services, as a process has them. */
export const randomLayer = (dice: Dice): Layer.Layer<SecureRandom.SecureRandom> =>
  Layer.mergeAll(
    Layer.succeed(SecureRandom.SecureRandom, SecureRandom.make((size) => dice.bytes(size))),
    Layer.succeed(Random.Random, {
      nextIntUnsafe: () => dice.between(0, Number.MAX_SAFE_INTEGER),
      nextDoubleUnsafe: () => dice.unit()
    })
  )
