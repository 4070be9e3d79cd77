import { DateTime } from "effect"

/**
 * A bucket of tokens, one for each attempt that may start. It is told by one moment, so that a row can keep it: when it is
 * full again, in microseconds, so that no rate loses tokens to rounding. What is gone by then is full.
 */
export type TokenBucket = number

/** A bucket that was never taken from. */
export const full: TokenBucket = 0

const microseconds = 1_000_000

const microsOf = (at: DateTime.Utc) => DateTime.toEpochMillis(at) * 1000

/**
 * Tokens that gather at most: a tenth of a second's worth. So one attempt follows another at low rates, and a take serves
 * several at high ones. In any time, no more start than the rate gives for it and these.
 */
export const burstOf = (rate: number): number => Math.max(1, Math.floor(rate / 10))

/** Rounded up, so that there is never one too many. */
const intervalOf = (rate: number) => Math.ceil(microseconds / rate)

// No bucket is full later than one that is empty now: the rate may have been another, or the clock have been set back.
const fullAt = (bucket: TokenBucket, rate: number, now: number) =>
  Math.min(Math.max(bucket, now), now + burstOf(rate) * intervalOf(rate))

/** How many tokens there are. */
export const tokensAt = (bucket: TokenBucket, rate: number, at: DateTime.Utc): number => {
  const now = microsOf(at)
  return burstOf(rate) - Math.ceil((fullAt(bucket, rate, now) - now) / intervalOf(rate))
}

/** The bucket once tokens were taken, of those that there are. */
export const afterTaking = (bucket: TokenBucket, rate: number, at: DateTime.Utc, tokens: number): TokenBucket =>
  fullAt(bucket, rate, microsOf(at)) + tokens * intervalOf(rate)

/** When there will be so many tokens, of those that gather at most. Not before now. */
export const whenThereAre = (tokens: number, bucket: TokenBucket, rate: number, at: DateTime.Utc): DateTime.Utc => {
  const now = microsOf(at)
  const micros = Math.max(now, fullAt(bucket, rate, now) - (burstOf(rate) - tokens) * intervalOf(rate))
  return DateTime.makeUnsafe(Math.ceil(micros / 1000))
}

/** As a row keeps it: rounded up, so that a bucket that is read again has never more in it. */
export const toInstant = (bucket: TokenBucket, rate: number, at: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.ceil(fullAt(bucket, rate, microsOf(at)) / 1000))

/** As a row has it. */
export const fromInstant = (at: DateTime.Utc): TokenBucket => microsOf(at)
