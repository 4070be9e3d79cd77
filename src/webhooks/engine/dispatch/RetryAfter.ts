import { DateTime, Duration, Option, Result } from "effect"
import { Headers } from "effect/http"

/** What an `integer` column holds as seconds, 68 years: a receiver may write any number of digits. */
const longest = Duration.seconds(2 ** 31 - 1)

/**
 * How long a `Retry-After` asks to wait from `now`: whole seconds or an HTTP date (RFC 9110, 10.2.3), at most 68 years.
 * None where there is no such header, where it says neither, and for a date that has passed.
 */
export const parseRetryAfter = (value: string | null, now: DateTime.Utc): Option.Option<Duration.Duration> =>
  Option.fromNullOr(value).pipe(
    Option.flatMap((text) => Result.getSuccess(Headers.parseRetryAfter(text))),
    Option.map((parsed) => parsed._tag === "Duration" ? parsed.duration : DateTime.distance(now, parsed.dateTime)),
    Option.filter((wait) => !Duration.isNegative(wait)),
    Option.map((wait) => Duration.min(wait, longest))
  )
