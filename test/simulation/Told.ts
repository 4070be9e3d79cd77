/** A notice about an endpoint. */
export interface Notice {
  readonly kind: string
  readonly at: number
}

/** Milliseconds in which an endpoint gets one notice at most. */
const apart = 86_400_000

/** The notices about each endpoint. */
export class Told {
  readonly #notices = new Map<string, ReadonlyArray<Notice>>()

  /** The notices of an endpoint, latest last. */
  of(endpoint: string): ReadonlyArray<Notice> {
    return this.#notices.get(endpoint) ?? []
  }

  /** True if it got a notice in the 24 hours before that moment, or after it. */
  isFresh(endpoint: string, at: number): boolean {
    return this.of(endpoint).some((notice) => notice.at > at - apart)
  }

  keep(endpoint: string, notice: Notice): void {
    this.#notices.set(endpoint, [...this.of(endpoint), notice])
  }
}
