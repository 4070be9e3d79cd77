import { type DateTime, Effect, Exit, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { blobs, instants, texts, uuids, withoutLastNulls } from "../../../platform/sql/Arrays.ts"
import { OnBehalfOf } from "../../../platform/sql/Connections.ts"
import { groupCommitBy } from "../../../platform/sql/GroupCommit.ts"
import type { KeptTrace } from "../../../platform/tracing/KeptTrace.ts"
import type { PlatformKey } from "../platform/Platform.ts"
import { InboundEventId } from "./InboundEvent.ts"
import type { InboundWebhookId } from "./InboundWebhook.ts"
import type { NewInboundEvent } from "./NewInboundEvent.ts"
import { personKey } from "./PersonKey.ts"

/** A request of a platform, as it is stored. */
export interface Arrival extends NewInboundEvent {
  readonly club_id: ClubId
  readonly id: InboundEventId
  readonly inbound_webhook_id: InboundWebhookId
  readonly platform: PlatformKey
  readonly body_hash: Uint8Array
  /** Sealed. */
  readonly raw: Uint8Array
  readonly received_at: DateTime.Utc
  /** The request that brought it. */
  readonly trace: KeptTrace
}

/** Requests in one statement at most. */
const limit = 64

/** Statements of a club at once: the database writes the next one while it makes the one before durable. */
const atOnce = 2

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: InboundEventId })))

/**
 * How requests are stored: those that a club gets at the same moment in one statement and one commit. False: the same
 * bytes are stored already.
 */
export const makeArrivals = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const insert = (club_id: ClubId, arrivals: ReadonlyArray<Arrival>) =>
    sql`
      insert into inbound_events (
        club_id, id, inbound_webhook_id, platform, event_name, external_event_id, body_hash, order_key, purchase_ref,
        product_ids, offer_ids, product_names, person_key, raw, received_at, due_at, outcome, detail, finished_at,
        trace
      )
      select ${club_id}::uuid, id, inbound_webhook_id, platform, event_name, external_event_id, body_hash,
        coalesce(order_key, 'event:' || id), purchase_ref,
        array(select jsonb_array_elements_text(product_ids::jsonb)),
        array(select jsonb_array_elements_text(offer_ids::jsonb)),
        array(select jsonb_array_elements_text(product_names::jsonb)), person_key, raw, received_at,
        case when outcome is null then received_at end, outcome, detail,
        case when outcome is not null then received_at end, trace
      from unnest(
        ${uuids(arrivals.map(({ id }) => id))},
        ${uuids(arrivals.map(({ inbound_webhook_id }) => inbound_webhook_id))},
        ${texts(arrivals.map(({ platform }) => platform))}, ${texts(arrivals.map(({ event_name }) => event_name))},
        ${texts(arrivals.map(({ external_event_id }) => external_event_id))},
        ${blobs(arrivals.map(({ body_hash }) => body_hash))}, ${texts(arrivals.map(({ order_key }) => order_key))},
        ${texts(arrivals.map(({ purchase_ref }) => purchase_ref))},
        ${texts(arrivals.map(({ products }) => JSON.stringify(products.map(({ external_id }) => external_id))))},
        ${texts(arrivals.map(({ products }) => JSON.stringify(products.map((one) => one.offer_external_id))))},
        ${texts(arrivals.map(({ products }) => JSON.stringify(products.map(({ name }) => name))))},
        ${blobs(arrivals.map(({ person_email }) => person_email === null ? null : personKey(club_id, person_email)))},
        ${blobs(arrivals.map(({ raw }) => raw))}, ${instants(arrivals.map(({ received_at }) => received_at))},
        ${texts(arrivals.map(({ outcome }) => outcome))}, ${texts(arrivals.map(({ detail }) => detail))},
        ${blobs(withoutLastNulls(arrivals.map(({ trace }) => trace)))}
      ) as arrival (
        id, inbound_webhook_id, platform, event_name, external_event_id, body_hash, order_key, purchase_ref, product_ids,
        offer_ids, product_names, person_key, raw, received_at, outcome, detail, trace
      )
      on conflict (club_id, inbound_webhook_id, body_hash) do nothing
      returning id`

  /** For each of them, true if this call stored it. */
  const storeAll = Effect.fn("Arrivals.store")(
    function*(club_id: ClubId, arrivals: ReadonlyArray<Arrival>) {
      const stored = yield* Effect.orDie(decodeIds(yield* insert(club_id, arrivals)))
      const ids = new Set(stored.map(({ id }) => id))
      return arrivals.map(({ id }) => ids.has(id))
    },
    (storing, club_id) => Effect.provideService(storing, OnBehalfOf, club_id)
  )

  // One that the database refuses takes no other with it.
  const storeEach = (club_id: ClubId, arrivals: ReadonlyArray<Arrival>) =>
    Effect.matchEffect(storeAll(club_id, arrivals), {
      onSuccess: (stored) => Effect.succeed(stored.map((isNew) => Exit.succeed(isNew))),
      onFailure: (error) =>
        arrivals.length === 1
          ? Effect.succeed([Exit.fail(error)])
          : Effect.forEach(arrivals, (arrival) =>
            Effect.exit(Effect.map(storeAll(club_id, [arrival]), ([isNew = false]) => isNew)))
    })

  const store = groupCommitBy<ClubId, Arrival, Exit.Exit<boolean, SqlError.SqlError>>((club_id) => ({
    atOnce,
    limit,
    run: (arrivals) => storeEach(club_id, arrivals)
  }))

  return { store: (arrival: Arrival) => Effect.flatten(store(arrival.club_id, arrival)) }
})
