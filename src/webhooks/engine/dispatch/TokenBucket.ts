import { DateTime } from "effect"

/**
 * A bucket of tokens, one for each attempt that may start. Its value is the time when it is full again, in
 * microseconds. So a row can keep it, and no rate loses tokens to rounding. A time in the past means a full bucket.
 */
export type TokenBucket = number

/** A bucket that was never taken from. */
export const full: TokenBucket = 0

const microseconds = 1_000_000

const microsOf = (at: DateTime.Utc) => DateTime.toEpochMillis(at) * 1000

/**
 * The most tokens that gather: a tenth of a second's worth. So one attempt follows another at low rates, and one take
 * serves several at high rates. In any time span at most its rate and these start.
 */
export const burstOf = (rate: number): number => Math.max(1, Math.floor(rate / 10))

/** Rounded up, so that there is never one too many. */
const intervalOf = (rate: number) => Math.ceil(microseconds / rate)

// No bucket is full later than one that is empty now: the rate may have been another, or the clock have been set back.
const fullAt = (bucket: TokenBucket, rate: number, now: number) =>
  Math.min(Math.max(bucket, now), now + burstOf(rate) * intervalOf(rate))

/** Number of tokens. */
export const tokensAt = (bucket: TokenBucket, rate: number, at: DateTime.Utc): number => {
  const now = microsOf(at)
  return burstOf(rate) - Math.ceil((fullAt(bucket, rate, now) - now) / intervalOf(rate))
}

/** The bucket after a take of tokens that it has. */
export const afterTaking = (bucket: TokenBucket, rate: number, at: DateTime.Utc, tokens: number): TokenBucket =>
  fullAt(bucket, rate, microsOf(at)) + tokens * intervalOf(rate)

/** When there will be so many tokens, of those that gather at most. Not before now. */
export const whenThereAre = (tokens: number, bucket: TokenBucket, rate: number, at: DateTime.Utc): DateTime.Utc => {
  const now = microsOf(at)
  const micros = Math.max(now, fullAt(bucket, rate, now) - (burstOf(rate) - tokens) * intervalOf(rate))
  return DateTime.makeUnsafe(Math.ceil(micros / 1000))
}

/** The form of a row. It is rounded up, so that a bucket never gains tokens by a save and a read. */
export const toInstant = (bucket: TokenBucket, rate: number, at: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.ceil(fullAt(bucket, rate, microsOf(at)) / 1000))

/** The bucket of a row. */
export const fromInstant = (at: DateTime.Utc): TokenBucket => microsOf(at)
