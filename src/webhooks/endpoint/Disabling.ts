import { Context, DateTime, type Duration, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { Administrators } from "../../membership/clubs/Administrators.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { ClockGuard, orZero } from "../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { first, rows } from "../../platform/sql/Rows.ts"
import { FailingEndpoints } from "../engine/dispatch/FailingEndpoints.ts"
import { LaneChanges, type LaneName } from "../engine/lane/LaneChanges.ts"
import { DeliveryQueueRepo } from "../engine/queue/DeliveryQueueRepo.ts"
import { QueueCancellation } from "../engine/queue/QueueCancellation.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { endpointDisabled } from "./DisabledMail.ts"
import { linkToEndpoint } from "./notices/linkToEndpoint.ts"
import { type Failed, failureOf, NoticeFacts } from "./notices/Notice.ts"
import { noticeEvent } from "./notices/NoticeEvents.ts"
import { NoticesRepo } from "./notices/NoticesRepo.ts"

/** Endpoints that are found in one statement at most. */
const batch = 100

const decodeOverdue = rows(Schema.Struct({ club_id: ClubId, endpoint_id: EndpointId, breaker_epoch: Schema.Int }))

const decodeEndpoint = first(Schema.Struct({ url: Schema.URLFromString }))

const decodeFailing = first(NoticeFacts
  .mapFields(Struct.pick(["certificate_ends_at", "last_failure_at", "last_failure_error", "last_failure_status"])))

/** Disables endpoints that accept nothing (contract, States and transitions: 5 days with no accepted delivery). */
export class Disabling extends Context.Service<Disabling, {
  /**
   * Disables the endpoint, cancels its queue and mails every owner and admin of the club, all or nothing. It needs an
   * enabled endpoint that has accepted nothing for the whole time, the caller's breaker, and a right clock. Otherwise
   * it answers false, and nothing changes. Of several callers one gets true.
   */
  disableFailing(lane: LaneName, breaker_epoch: number): Effect.Effect<boolean>
  /** The same for every endpoint whose time is over, even without attempts. Answers how many it disabled. */
  readonly disableOverdue: Effect.Effect<number>
}>()("turma/webhooks/endpoint/Disabling") {
  static readonly layerNoDeps = Layer.effect(
    Disabling,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const administrators = yield* Administrators
      const notices = yield* NoticesRepo
      const queue = yield* DeliveryQueueRepo
      const cancellation = yield* QueueCancellation
      const lanes = yield* LaneChanges
      const mailer = yield* Mailer
      const guard = yield* ClockGuard
      const urls = yield* PublicUrls
      const { disable_after, recover_window } = yield* WebhookRules

      const lockEndpoint = ({ club_id, endpoint_id }: LaneName) =>
        sql`
          select url from webhook_endpoints
          where club_id = ${club_id} and id = ${endpoint_id} and status = 'enabled' and deleted_at is null
          for update`.pipe(decodeEndpoint)

      const lockFailingLane = Effect.fnUntraced(function*({ club_id, endpoint_id }: LaneName, breaker_epoch: number) {
        const since = DateTime.subtractDuration(yield* DateTime.now, disable_after)
        return yield* sql`
          select last_failure_at, last_failure_error, last_failure_status, certificate_ends_at from webhook_lanes
          where club_id = ${club_id} and endpoint_id = ${endpoint_id} and breaker_epoch = ${breaker_epoch}
            and failing_since <= ${DateTime.toDateUtc(since)}
          for update`.pipe(decodeFailing)
      })

      const disable = Effect.fnUntraced(function*({ club_id, endpoint_id }: LaneName) {
        const at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
          update webhook_endpoints
          set status = 'disabled', disabled_reason = 'failing', disabled_at = ${at}, updated_at = ${at}
          where club_id = ${club_id} and id = ${endpoint_id}`
      })

      // These mails have no cap. An endpoint causes at most one in `disable_after`, and disabling it by hand causes 0.
      // With 20 endpoints a club that is four mails a day, and only to persons who have accepted to administer it.
      const mailAdministrators = Effect.fnUntraced(function*(
        { club_id, endpoint_id }: LaneName,
        host: string,
        canceled: number,
        failure: Failed | null
      ) {
        for (const administrator of yield* administrators.of(club_id)) {
          const { club_name, email, locale, name, organization_id, time_zone } = administrator
          yield* mailer.enqueue(endpointDisabled(locale, {
            recipient: email,
            name,
            club_name,
            host,
            failing: disable_after,
            failure,
            time_zone,
            canceled,
            recoverable: recover_window,
            link: linkToEndpoint(urls, organization_id, endpoint_id)
          }))
        }
      })

      const disableFailing = Effect.fn("Disabling.disableFailing")(
        function*(lane: LaneName, breaker_epoch: number) {
          if (!(yield* guard.isRight)) return Option.none()
          const endpoint = yield* lockEndpoint(lane)
          if (Option.isNone(endpoint)) return Option.none()
          const failing = yield* lockFailingLane(lane, breaker_epoch)
          if (Option.isNone(failing)) return Option.none()
          const last = failureOf(failing.value)
          const sample = Option.getOrUndefined(yield* notices.sampleOf(lane))
          const failure: Failed | null = last === null ? null : { ...last, sample }
          yield* disable(lane)
          yield* lanes.suspend(lane)
          yield* mailAdministrators(lane, endpoint.value.url.host, yield* queue.countPending(lane), failure)
          yield* notices.markDisabledSent(lane, yield* DateTime.now)
          yield* cancellation.begin(lane, "endpoint_disabled")
          return Option.some(failure)
        },
        sql.withTransaction,
        Effect.orDie,
        (disabling, lane) =>
          Effect.tap(
            disabling,
            Option.match({
              onNone: () => Effect.void,
              onSome: (failure) =>
                Effect.andThen(
                  noticeEvent("disabled", { endpoint_id: lane.endpoint_id, failure }),
                  cancellation.finish(lane)
                )
            })
          ),
        Effect.map(Option.isSome)
      )

      const findOverdue = Effect.fnUntraced(function*(now: DateTime.Utc) {
        const since = DateTime.subtractDuration(now, disable_after)
        return yield* sql`
          select l.club_id, l.endpoint_id, l.breaker_epoch
          from webhook_lanes l join webhook_endpoints e on e.club_id = l.club_id and e.id = l.endpoint_id
          where l.failing_since <= ${DateTime.toDateUtc(since)} and not l.rests
            and e.status = 'enabled' and e.deleted_at is null
          order by l.failing_since limit ${batch}`.pipe(decodeOverdue)
      })

      // An endpoint that cannot be disabled does not stop the others, and is tried again the next time.
      const disableUntil = Effect.fnUntraced(function*(at: DateTime.Utc) {
        let count = 0
        while (true) {
          const overdue = yield* findOverdue(at)
          const disabled = yield* Effect.forEach(
            overdue,
            (lane) =>
              Effect.catchCause(disableFailing(lane, lane.breaker_epoch), (cause) =>
                Effect.as(
                  Effect.logError("An endpoint that fails was not disabled", { endpoint_id: lane.endpoint_id }, cause),
                  false
                ))
          )
          const now = disabled.filter((one) => one).length
          count += now
          if (overdue.length < batch || now === 0) return count
        }
      })

      const disableOverdue = guard.sweep("endpoints that accept nothing", disableUntil).pipe(
        orZero,
        Effect.withSpan("Disabling.disableOverdue")
      )

      return Disabling.of({ disableFailing, disableOverdue })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([
    Administrators.layer,
    DeliveryQueueRepo.layer,
    LaneChanges.layer,
    NoticesRepo.layer,
    PublicUrls.layer,
    QueueCancellation.layer
  ]))
}

/** Answers the engine. */
export const FailingEndpointsLayerNoDeps = Layer.effect(
  FailingEndpoints,
  Effect.map(Disabling, ({ disableFailing }) => FailingEndpoints.of({ disable: disableFailing }))
)

/** The same with all that it needs. */
export const FailingEndpointsLayer = FailingEndpointsLayerNoDeps.pipe(Layer.provide(Disabling.layer))

/**
 * Looks for such endpoints at intervals, for the first time after one interval. If no worker has run for days, due
 * deliveries so get an attempt before their endpoint is disabled.
 */
export const disablingLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { disableOverdue } = yield* Disabling
    yield* repeatedly(disableOverdue, {
      startAfter: every,
      every,
      onFailure: "Endpoints that fail are not looked for"
    })
  }))
