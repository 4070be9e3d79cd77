import { DateTime, Duration, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { Instant } from "../../../platform/schema/Instant.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { countedTogether } from "../dispatch/countAttempts.ts"

/** The quarter of an hour that it is now, and the four before it. */
const shown = 5

/** Rows that are added up at most, one for each endpoint that was sent to in a quarter: the newest. */
export const mostAdded = 20_000

const width = Duration.toMillis(countedTogether)

const decodeQuarters = rows(Schema.Struct({
  at: Instant,
  accepted: Schema.Int,
  failed: Schema.Int,
  given_up: Schema.Int,
  endpoints: Schema.Int
}))

/** Two decimals say enough. */
const perSecond = (count: number, seconds: number) => seconds === 0 ? 0 : Math.round(count / seconds * 100) / 100

/**
 * The results of the attempts of all endpoints by quarters of an hour, newest first, as they were counted at their end.
 * If there are more counts than `mostAdded`, the last quarter is `capped`, and earlier ones drop out.
 */
export const attemptRates = (sql: SqlClient.SqlClient, now: DateTime.Utc) => {
  const current = Math.floor(DateTime.toEpochMillis(now) / width) * width
  const first = DateTime.makeUnsafe(current - (shown - 1) * width)
  return sql`
    select at, sum(accepted)::int as accepted, sum(failed)::int as failed, sum(given_up)::int as given_up,
      count(*)::int as endpoints
    from (
      select at, accepted, failed, given_up from webhook_counts
      where at >= ${DateTime.toDateUtc(first)} and at <= ${DateTime.toDateUtc(now)}
      order by at desc limit ${mostAdded + 1}
    ) c
    group by at`.pipe(
    decodeQuarters,
    Effect.map((counted) => {
      const quarters = Array.from({ length: shown }, (_, place) => {
        const at = DateTime.makeUnsafe(current - place * width)
        const seconds = Math.min(Duration.toSeconds(countedTogether), Duration.toSeconds(DateTime.distance(at, now)))
        const { accepted = 0, failed = 0, given_up = 0 } = counted.find((one) => DateTime.Equivalence(one.at, at)) ?? {}
        const per_second = { accepted: perSecond(accepted, seconds), failed: perSecond(failed, seconds) }
        return { at: DateTime.formatIso(at), seconds, accepted, failed, given_up, capped: false, per_second }
      })
      if (counted.reduce((sum, { endpoints }) => sum + endpoints, 0) <= mostAdded) return quarters
      const last = DateTime.formatIso(counted.map(({ at }) => at).reduce(DateTime.min))
      return quarters.filter(({ at }) => at >= last).map((one) => ({ ...one, capped: one.at === last }))
    })
  )
}
