// The one place that reads the machine's clock: a client has no other.

/** Milliseconds since 1970. */
export const wallClock = (): number => Date.now()

/** Milliseconds since some moment that is the same for all calls; no clock that is set moves it. */
export const steadyClock = (): number => performance.now()

/** The moment that an HTTP date names, in milliseconds since 1970; NaN for any other text. */
export const parseHttpDate = (text: string): number => /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN
