/** A notice that was told of an endpoint. */
export interface Notice {
  readonly kind: string
  readonly at: number
}

/** For so long, in milliseconds, an endpoint has one notice at most. */
const apart = 86_400_000

/** What was told of each endpoint. */
export class Told {
  readonly #notices = new Map<string, ReadonlyArray<Notice>>()

  /** Latest last. */
  of(endpoint: string): ReadonlyArray<Notice> {
    return this.#notices.get(endpoint) ?? []
  }

  /** Whether something was told of it in the 24 hours before that moment, or after it. */
  isFresh(endpoint: string, at: number): boolean {
    return this.of(endpoint).some((notice) => notice.at > at - apart)
  }

  keep(endpoint: string, notice: Notice): void {
    this.#notices.set(endpoint, [...this.of(endpoint), notice])
  }
}
