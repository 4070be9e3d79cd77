import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Administrators } from "../../clubs/Administrators.ts"
import { pageUrl, PublicUrls } from "../../http/ServerSettings.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { DeliveriesRepo } from "../delivery/DeliveriesRepo.ts"
import { Queues } from "../delivery/Queues.ts"
import { LaneChanges, type LaneName } from "../dispatch/LaneChanges.ts"
import { WebhookRules } from "../WebhookSettings.ts"
import { endpointDisabled } from "./DisabledMail.ts"

const decodeEndpoints = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ url: Schema.URLFromString })))

/** Disables endpoints that accept nothing (contract, States and transitions: 5 days with no accepted delivery). */
export class Disabling extends Context.Service<Disabling, {
  /**
   * Disables the endpoint, cancels its queue and mails every owner and admin of the club, all or nothing. False, and
   * nothing happens, unless it is enabled and has accepted nothing for the whole time, with the breaker that the caller
   * knows: of several callers one is told true.
   */
  disableFailing(lane: LaneName, breaker_epoch: number): Effect.Effect<boolean>
}>()("turma/webhooks/Disabling") {
  static readonly layerNoDeps = Layer.effect(
    Disabling,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const administrators = yield* Administrators
      const deliveries = yield* DeliveriesRepo
      const queues = yield* Queues
      const lanes = yield* LaneChanges
      const mailer = yield* Mailer
      const { dashboard } = yield* PublicUrls
      const { disable_after, recover_window } = yield* WebhookRules

      const holdEndpoint = ({ club_id, endpoint_id }: LaneName) =>
        sql`
          select url from webhook_endpoints
          where club_id = ${club_id} and id = ${endpoint_id} and status = 'enabled' and deleted_at is null
          for update`.pipe(Effect.flatMap(decodeEndpoints))

      const holdFailing = Effect.fnUntraced(function*({ club_id, endpoint_id }: LaneName, breaker_epoch: number) {
        const since = DateTime.subtractDuration(yield* DateTime.now, disable_after)
        return yield* sql`
          select 1 from webhook_lanes
          where club_id = ${club_id} and endpoint_id = ${endpoint_id} and breaker_epoch = ${breaker_epoch}
            and failing_since <= ${DateTime.toDateUtc(since)}
          for update`
      })

      const disable = Effect.fnUntraced(function*({ club_id, endpoint_id }: LaneName) {
        const at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
          update webhook_endpoints
          set status = 'disabled', disabled_reason = 'failing', disabled_at = ${at}, updated_at = ${at}
          where club_id = ${club_id} and id = ${endpoint_id}`
      })

      const tell = Effect.fnUntraced(function*({ club_id, endpoint_id }: LaneName, host: string, canceled: number) {
        for (const { club_name, email, locale, name, organization_id } of yield* administrators.of(club_id)) {
          yield* mailer.enqueue(endpointDisabled(locale, {
            recipient: email,
            name,
            club_name,
            host,
            failing: disable_after,
            canceled,
            recoverable: recover_window,
            link: pageUrl(dashboard, "webhooks", { club: organization_id, endpoint: endpoint_id })
          }))
        }
      })

      const disableFailing = Effect.fn("Disabling.disableFailing")(
        function*(lane: LaneName, breaker_epoch: number) {
          const [endpoint] = yield* holdEndpoint(lane)
          if (endpoint === undefined) return false
          if ((yield* holdFailing(lane, breaker_epoch)).length === 0) return false
          yield* disable(lane)
          yield* lanes.rest(lane)
          yield* tell(lane, endpoint.url.host, yield* deliveries.countPending(lane))
          yield* queues.begin(lane, "endpoint_disabled")
          return true
        },
        sql.withTransaction,
        Effect.orDie,
        (disabling, lane) => Effect.tap(disabling, (disabled) => disabled ? queues.finish(lane) : Effect.void)
      )

      return Disabling.of({ disableFailing })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([Administrators.layer, DeliveriesRepo.layer, LaneChanges.layer, PublicUrls.layer, Queues.layer])
  )
}
