/** A queue by order: the item that comes before all others leaves first. */
export class Heap<A> {
  readonly #items: Array<A> = []
  readonly #isBefore: (one: A, other: A) => boolean

  constructor(isBefore: (one: A, other: A) => boolean) {
    this.#isBefore = isBefore
  }

  get first(): A | undefined {
    return this.#items[0]
  }

  add(item: A): void {
    let place = this.#items.push(item) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!this.#swapIfBefore(place, above)) return
      place = above
    }
  }

  take(): A | undefined {
    const [first] = this.#items
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return first
    this.#items[0] = last
    this.#sink()
    return first
  }

  #sink(): void {
    for (let place = 0;;) {
      const left = 2 * place + 1
      const [one, other] = [this.#items[left], this.#items[left + 1]]
      const child = one !== undefined && other !== undefined && this.#isBefore(other, one) ? left + 1 : left
      if (!this.#swapIfBefore(child, place)) return
      place = child
    }
  }

  /** Swaps the two if the lower one comes first. */
  #swapIfBefore(lower: number, upper: number): boolean {
    const [below, above] = [this.#items[lower], this.#items[upper]]
    if (below === undefined || above === undefined || !this.#isBefore(below, above)) return false
    this.#items[lower] = above
    this.#items[upper] = below
    return true
  }
}
