// The one place that reads the machine's clock: what is shown as "3 minutes ago" is so by the reader's own.

/** Milliseconds since 1970. */
export const now = (): number => Date.now()

/** A moment of the API in milliseconds since 1970. */
export const millisOf = (timestamp: string): number => Date.parse(timestamp)

/** A moment as the API takes it. */
export const timestampOf = (millis: number): string => new Date(millis).toISOString()
