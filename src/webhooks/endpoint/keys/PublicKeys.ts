import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { NotFound } from "../../../platform/http/errors.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import { WebhookPublicKey } from "./PublicKey.ts"

const decodeKeys = rows(WebhookPublicKey)

/** The statement that answers the keys of an endpoint of any club, newest first. */
export const keysOf = (sql: SqlClient.SqlClient, id: EndpointId, now: DateTime.Utc): Statement.Statement<unknown> =>
  sql`
    with endpoint as materialized (
      select e.club_id, e.id, e.public_key from webhook_endpoints e
      where e.id = ${id} and e.public_key is not null and e.deleted_at is null
    )
    select 'whpk_' || encode(key.public_key, 'base64') as public_key, key.ends_at
    from (
      select public_key, null::timestamptz as ends_at, null::integer as number from endpoint
      union all
      select p.public_key, p.expires_at, p.number
      from endpoint join webhook_previous_secrets p on p.club_id = endpoint.club_id and p.endpoint_id = endpoint.id
      where p.public_key is not null and p.expires_at > ${DateTime.toDateUtc(now)}
    ) key
    order by key.number desc nulls first`

/** The keys that receivers verify with. */
export class PublicKeys extends Context.Service<PublicKeys, {
  /**
   * The newest first, then replaced ones that still sign. `NotFound`: there is no such endpoint, or it has no key. The
   * caller names no club: a receiver only knows the endpoint, and anybody may see its keys.
   */
  of(id: EndpointId): Effect.Effect<ReadonlyArray<WebhookPublicKey>, NotFound>
}>()("turma/webhooks/endpoint/keys/PublicKeys") {
  static readonly layer = Layer.effect(
    PublicKeys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const of = Effect.fn("PublicKeys.of")(function*(id: EndpointId) {
        const keys = yield* keysOf(sql, id, yield* DateTime.now).pipe(decodeKeys)
        return keys.length > 0 ? keys : yield* new NotFound()
      })

      return PublicKeys.of({ of })
    })
  )
}
