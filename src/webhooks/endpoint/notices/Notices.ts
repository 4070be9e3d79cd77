import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Administrators } from "../../../membership/clubs/Administrators.ts"
import { PublicUrls } from "../../../platform/http/ServerSettings.ts"
import { ClockGuard, orZero } from "../../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"
import { Mailer } from "../../../platform/mail/Mailer.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { proofOf } from "../causes/Advice.ts"
import { linkToEndpoint } from "./linkToEndpoint.ts"
import { type Failed, failureOf, type NoticeEvent, type NoticeFacts } from "./Notice.ts"
import { noticeEvent } from "./NoticeEvents.ts"
import { type Notice, noticeMail } from "./NoticeMail.ts"
import { type Due, type DueSecret, type NoticeBounds, NoticesRepo } from "./NoticesRepo.ts"

/** How long an endpoint is held before its notice, and how long before its end a secret has its notice. */
const hour = Duration.hours(1)

/** How long before the disabling of an endpoint its notice comes: a day, or half of the time if that is shorter. */
const ahead = (disable_after: Duration.Duration) => Duration.min(Duration.days(1), Duration.times(disable_after, 0.5))

/** Notifies administrators and operators about states that they would otherwise have to search for. */
export class Notices extends Context.Service<Notices, {
  /**
   * Sends notices about every endpoint that has been held for an hour, accepts again after a notice, or is disabled
   * within a day. It also sends one for every secret that ends within an hour. Each notice goes out all or nothing, and
   * once, even with several workers. Answers how many went out.
   */
  readonly sendAll: Effect.Effect<number>
}>()("turma/webhooks/endpoint/notices/Notices") {
  static readonly layerNoDeps = Layer.effect(
    Notices,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const administrators = yield* Administrators
      const guard = yield* ClockGuard
      const mailer = yield* Mailer
      const repo = yield* NoticesRepo
      const urls = yield* PublicUrls
      const { disable_after, secret_overlap } = yield* WebhookRules

      const mail = Effect.fnUntraced(function*(
        { club_id, endpoint_id }: LaneName,
        { notices, url }: NoticeFacts,
        notice: Notice
      ) {
        if (!notices) return
        const recipients = yield* administrators.of(club_id)
        yield* mailer.enqueueAll(recipients.map(({ club_name, email, locale, name, organization_id, time_zone }) => {
          const link = linkToEndpoint(urls, organization_id, endpoint_id)
          const to = { recipient: email, name, club_name, time_zone, host: url.host, link }
          return { mail: noticeMail(locale, to, notice) }
        }))
      })

      /** With a sample of what failed. */
      const failureWith = Effect.fnUntraced(function*(lane: LaneName, facts: NoticeFacts) {
        const failure = failureOf(facts)
        return failure === null ? null : { ...failure, sample: Option.getOrUndefined(yield* repo.sampleOf(lane)) }
      })

      /** The content of the mail. */
      const noticeOf = Effect.fnUntraced(function*(
        { kind, ...lane }: Due,
        facts: NoticeFacts,
        { now }: NoticeBounds
      ): Effect.fn.Return<Notice> {
        const { failing_since, held_since, last_success_at } = facts
        if (kind === "recovered") return { kind, at: last_success_at ?? now }
        const since = failing_since ?? held_since ?? now
        const disabled_at = DateTime.addDuration(since, disable_after)
        return { kind, since, disabled_at, failure: yield* failureWith(lane, facts) }
      })

      const sendOnce = <N extends LaneName>(
        kind: NoticeEvent,
        lane: N,
        mark: (lane: N) => Effect.Effect<Option.Option<Failed | null>>
      ) =>
        sql.withTransaction(mark(lane)).pipe(
          Effect.tap(Option.match({
            onNone: () => Effect.void,
            onSome: (failure) => noticeEvent(kind, { endpoint_id: lane.endpoint_id, failure })
          })),
          Effect.map(Option.isSome),
          // A failed notice does not stop the others, and is tried again the next time.
          Effect.catchCause((cause) =>
            Effect.as(
              Effect.logError(
                "Nobody was notified about a webhook endpoint",
                { kind, endpoint_id: lane.endpoint_id },
                cause
              ),
              false
            )
          )
        )

      const sendOne = (bounds: NoticeBounds) => (due: Due) =>
        sendOnce(
          due.kind,
          due,
          Effect.fnUntraced(function*(due: Due) {
            const facts = yield* repo.markSent(due, bounds)
            if (Option.isNone(facts)) return Option.none()
            yield* mail(due, facts.value, yield* noticeOf(due, facts.value, bounds))
            return Option.some(due.kind === "recovered" ? null : failureOf(facts.value))
          })
        )

      const sendSecret = (secret: DueSecret) =>
        sendOnce(
          "secret_ends",
          secret,
          Effect.fnUntraced(function*(secret: DueSecret) {
            const facts = yield* repo.markSecretSent(secret)
            if (Option.isNone(facts)) return Option.none()
            const { expires_at } = facts.value
            const proof = proofOf(facts.value, DateTime.subtractDuration(expires_at, secret_overlap))
            yield* mail(secret, facts.value, { kind: "secret_ends", at: expires_at, proof })
            return Option.some(null)
          })
        )

      const sendUntil = Effect.fnUntraced(function*(now: DateTime.Utc) {
        const before = (duration: Duration.Duration) => DateTime.subtractDuration(now, duration)
        const bounds = {
          now,
          held: before(hour),
          disabling: before(Duration.subtract(disable_after, ahead(disable_after)))
        }
        const [due, secrets] = yield* Effect.all([
          repo.due(bounds),
          repo.dueSecrets(now, DateTime.addDuration(now, hour))
        ])
        const sent = [
          ...(yield* Effect.forEach(due, sendOne(bounds))),
          ...(yield* Effect.forEach(secrets, sendSecret))
        ]
        return sent.filter((one) => one).length
      })

      const sendAll = guard.sweep("notices about endpoints", sendUntil).pipe(orZero, Effect.withSpan("Notices.sendAll"))

      return Notices.of({ sendAll })
    })
  )

  static readonly layer = this.layerNoDeps
    .pipe(Layer.provide([Administrators.layer, NoticesRepo.layer, PublicUrls.layer]))
}

/** Looks for notices at intervals, for the first time after one interval: due deliveries get an attempt before. */
export const noticesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { sendAll } = yield* Notices
    yield* repeatedly(sendAll, { startAfter: every, every, onFailure: "Nobody is notified about webhook endpoints" })
  }))
