import { Schema } from "effect"
import type { SqlClient } from "effect/sql"

/** What gradings have seen of a receiver's secret. */
export const SecretProof = Schema.Struct({
  /** When one saw last whether the receiver has the newest, and whether it had; null where none did. */
  proof_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  newest_proved: Schema.NullOr(Schema.Boolean)
})

/** The columns of a `SecretProof`, of the endpoint `e`. */
export const proofColumns = (sql: SqlClient.SqlClient) => {
  const latest = (column: "created_at" | "newest_proved") =>
    sql`
      (
        select ${sql(column)} from webhook_gradings g
        where g.club_id = e.club_id and g.endpoint_id = e.id and g.newest_proved is not null
        order by g.id desc limit 1
      )`
  return sql`${latest("created_at")} as proof_at, ${latest("newest_proved")} as newest_proved`
}
