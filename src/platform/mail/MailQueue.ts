import { type Cause, Context, DateTime, Duration, Effect, Layer, Random, Schema } from "effect"
import { batchWorker } from "../jobs/BatchWorker.ts"
import { ClockGuard } from "../jobs/ClockGuard.ts"
import { untilDue } from "../jobs/UntilDue.ts"
import { Sealing } from "../sql/Sealing.ts"
import { ownText } from "../text/Utf8.ts"
import { Mail, MailNotSent } from "./Mail.ts"
import { bindingOf } from "./Mailer.ts"
import { MailSignal, waitingMails } from "./MailSignal.ts"
import { type Claimed, MailsRepo } from "./MailsRepo.ts"
import { MailTransport } from "./MailTransport.ts"
import { delayAfter, giveUpAfter } from "./Retry.ts"

/** Mails sent at once. A batch is sent whole, so no claimed mail spends its lease waiting for another. */
export const batch = MailTransport.connections

const pollEvery = "1 second"

/** How long mails in flight may hold up a shutdown. Those cut off keep their lease and are sent again after it. */
const shutdownGrace = Duration.seconds(10)

const logFailure = (message: string) => (cause: Cause.Cause<never>) => Effect.logError(message, cause)

const decode = Schema.decodeEffect(Schema.fromJsonString(Mail))

/** Sends the mails that are due: at least once each, by one process at a time. */
export class MailQueue extends Context.Service<MailQueue, {
  /** Claims one batch of due mails and ends when each has been sent, postponed or given up; says how many they were. */
  readonly tick: Effect.Effect<number>
}>()("turma/platform/mail/MailQueue") {
  static readonly layer = Layer.effect(
    MailQueue,
    Effect.gen(function*() {
      const mails = yield* MailsRepo
      const sealing = yield* Sealing
      const transport = yield* MailTransport
      const guard = yield* ClockGuard

      // A key that is missing today may be back tomorrow, so a mail that does not open waits like any other.
      const open = ({ content, id }: Claimed) =>
        sealing.open(content, bindingOf(id)).pipe(
          Effect.mapError(() => new MailNotSent({ reason: "sealed", permanent: false })),
          Effect.flatMap((bytes) => Effect.orDie(decode(ownText(bytes))))
        )

      const notSent = Effect.fnUntraced(function*(claimed: Claimed, { permanent, reason }: MailNotSent) {
        const age = DateTime.distance(claimed.created_at, yield* DateTime.now)
        if (permanent) {
          yield* Effect.logWarning("Mail refused for good", { mail_id: claimed.id, reason })
          return yield* mails.remove(claimed)
        }
        if (Duration.isGreaterThanOrEqualTo(age, giveUpAfter) && (yield* guard.isRight)) {
          yield* Effect.logError("Mail given up", { mail_id: claimed.id, reason })
          return yield* mails.remove(claimed)
        }
        yield* Effect.logWarning("Mail not sent yet", { mail_id: claimed.id, attempts: claimed.attempts, reason })
        yield* mails.postpone(claimed, delayAfter(claimed.attempts, yield* Random.next), reason)
      })

      const deliver = Effect.fn("MailQueue.deliver")(function*(claimed: Claimed) {
        yield* transport.send(yield* open(claimed), claimed.id, claimed.about)
        yield* mails.remove(claimed)
      }, (effect, claimed) =>
        effect.pipe(
          Effect.catchTag("MailNotSent", (error) => notSent(claimed, error)),
          // A mail whose attempt dies keeps its lease and is tried again after it; the others of the batch go on.
          Effect.catchCause(logFailure("Mail attempt failed"))
        ))

      const tick = Effect.gen(function*() {
        const claimed = yield* mails.claim(batch)
        yield* Effect.forEach(claimed, deliver, { concurrency: batch, discard: true })
        return claimed.length
      })

      return MailQueue.of({ tick })
    })
  ).pipe(Layer.provide(MailsRepo.layer))
}

/**
 * Sends what is due for as long as the layer lives. Any number of processes may run it. It ends between two batches:
 * closing the layer waits up to 10 seconds for the mails in flight.
 */
const MailWorkerLayerNoDeps = Layer.effectDiscard(Effect.gen(function*() {
  const queue = yield* MailQueue
  const signal = yield* MailSignal
  yield* batchWorker({
    tick: queue.tick,
    full: batch,
    idle: yield* untilDue(waitingMails, { pollEvery, signal }),
    pollEvery,
    shutdownGrace,
    onFailure: "Mail worker tick failed",
    onCutOff: "Mails in flight are sent later"
  })
}))

/** The worker on the real queue; what it sends with is the caller's to provide. */
export const MailWorkerLayer = MailWorkerLayerNoDeps.pipe(Layer.provide([MailQueue.layer, MailSignal.layer]))
