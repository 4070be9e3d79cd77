import { DateTime, Duration, Option, Result } from "effect"
import { Headers } from "effect/http"

/** The most seconds that an `integer` column holds, 68 years: a receiver may write any number of digits. */
const longest = Duration.seconds(2 ** 31 - 1)

/**
 * The wait from `now` that a `Retry-After` asks for: whole seconds or an HTTP date (RFC 9110, 10.2.3), at most 68
 * years. `None` without the header, for any other text, and for a past date.
 */
export const parseRetryAfter = (value: string | null, now: DateTime.Utc): Option.Option<Duration.Duration> =>
  Option.fromNullOr(value).pipe(
    Option.flatMap((text) => Result.getSuccess(Headers.parseRetryAfter(text))),
    Option.map((parsed) => parsed._tag === "Duration" ? parsed.duration : DateTime.distance(now, parsed.dateTime)),
    Option.filter((wait) => !Duration.isNegative(wait)),
    Option.map((wait) => Duration.min(wait, longest))
  )
