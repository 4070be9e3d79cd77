import { DateTime, Effect, Exit, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { blobs, texts } from "../../../platform/sql/Arrays.ts"
import { groupCommit } from "../../../platform/sql/GroupCommit.ts"
import { PlatformKey } from "../platform/Platform.ts"
import { InboundWebhookId } from "./InboundWebhook.ts"

/** A webhook that received a request, with the data to verify it. */
export const ReceivingWebhook = Schema.Struct({
  club_id: ClubId,
  id: InboundWebhookId,
  platform: PlatformKey,
  secret: Schema.NullOr(Schema.Uint8Array),
  token_only: Schema.Boolean
})
export type ReceivingWebhook = typeof ReceivingWebhook.Type

/** The address that received a request. */
export interface HookAddress {
  readonly platform: PlatformKey
  /** The hash of the token. */
  readonly hash: Uint8Array
}

type Found = Option.Option<ReceivingWebhook>

const decodeFound = Schema
  .decodeUnknownEffect(Schema.Array(Schema.Struct({ ...ReceivingWebhook.fields, position: Schema.Int })))

/**
 * How the webhook of an address is found, if it is enabled: those that are asked for at the same moment in one
 * statement.
 */
export const makeReceivingWebhooks = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // A replaced token works for a while. Each half searches by an index of its own.
  const select = Effect.fnUntraced(function*(addresses: ReadonlyArray<HookAddress>) {
    const now = DateTime.toDateUtc(yield* DateTime.now)
    return yield* sql`
      with asked as (
        select hash, platform, position::int as position from unnest(
          ${blobs(addresses.map(({ hash }) => hash))}, ${texts(addresses.map(({ platform }) => platform))}
        ) with ordinality as asked (hash, platform, position)
      )
      select position, w.club_id, w.id, w.platform, w.secret, w.token_only
      from asked join inbound_webhooks w on w.token_hash = asked.hash
      where w.platform = asked.platform and w.enabled
      union all
      select position, w.club_id, w.id, w.platform, w.secret, w.token_only
      from asked join inbound_webhooks w on w.previous_token_hash = asked.hash
      where w.platform = asked.platform and w.enabled and w.previous_token_expires_at > ${now}`
  })

  const findAll = Effect.fn("ReceivingWebhooks.find")(function*(addresses: ReadonlyArray<HookAddress>) {
    const found = yield* Effect.orDie(decodeFound(yield* select(addresses)))
    const webhooks = new Map(found.map(({ position, ...webhook }) => [position, webhook]))
    return addresses.map((_, n) => Option.fromUndefinedOr(webhooks.get(n + 1)))
  })

  const find = groupCommit<HookAddress, Exit.Exit<Found, SqlError.SqlError>>({
    atOnce: 2,
    limit: 64,
    run: (addresses) =>
      Effect.match(findAll(addresses), {
        onSuccess: (found) => found.map((webhook) => Exit.succeed(webhook)),
        onFailure: (error) => addresses.map(() => Exit.fail(error))
      })
  })

  return { find: (address: HookAddress) => Effect.flatten(find(address)) }
})
