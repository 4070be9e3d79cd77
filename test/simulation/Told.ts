/** A notice that was told of an endpoint. */
export interface Notice {
  readonly kind: string
  readonly at: number
}

/** An endpoint and a day of UTC, on which it has one notice at most. */
const dayOf = (endpoint: string, at: number): string => `${endpoint} ${new Date(at).toISOString().slice(0, 10)}`

/** What was told of each endpoint. */
export class Told {
  readonly #notices = new Map<string, ReadonlyArray<Notice>>()
  readonly #days = new Set<string>()

  /** Latest last. */
  of(endpoint: string): ReadonlyArray<Notice> {
    return this.#notices.get(endpoint) ?? []
  }

  /** Whether something was told of it on the day of that moment. */
  hasDay(endpoint: string, at: number): boolean {
    return this.#days.has(dayOf(endpoint, at))
  }

  keep(endpoint: string, notice: Notice): void {
    this.#notices.set(endpoint, [...this.of(endpoint), notice])
    this.#days.add(dayOf(endpoint, notice.at))
  }
}
