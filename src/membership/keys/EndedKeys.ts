import { DateTime, Duration, Effect } from "effect"
import { auditLifetime } from "../../identity/audit/AuditLog.ts"
import { sweepOf } from "../../platform/jobs/Sweep.ts"

/** For how long a key that has ended is listed: a day longer than the audit log names it. */
const kept = Duration.sum(auditLifetime, Duration.days(1))

/** Deletes tokens that have ended, and keys that ended so long ago that the audit no longer names them. */
export const sweepKeys = sweepOf("EndedKeys.sweepKeys", "keys", (sql, at) =>
  Effect.andThen(
    sql`delete from club_key_tokens where ends_at <= ${DateTime.toDateUtc(at)}`,
    sql`
      delete from club_keys
      where least(revoked_at, expires_at) <= ${DateTime.toDateUtc(DateTime.subtractDuration(at, kept))}
    `
  ))
