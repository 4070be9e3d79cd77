import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { PooledRandomLayer } from "../sql/PooledRandom.ts"
import { Sealing } from "../sql/Sealing.ts"
import { Mail, MailId } from "./Mail.ts"
import { MailSignal } from "./MailSignal.ts"
import { MailsRepo } from "./MailsRepo.ts"

/** A sealed mail opens only as the content of its own row. */
export const bindingOf = (id: MailId): string => `mails:${id}`

const encode = Schema.encodeEffect(Schema.fromJsonString(Mail))

/** The facts about a mail beside its content. */
export interface Given {
  /** A UUID that can withdraw it. */
  readonly about?: string | null
  /** Urgent mails leave before all others. */
  readonly urgent?: boolean
  /** By default now. */
  readonly leaves_at?: DateTime.Utc
}

/** A mail with these facts. */
export interface GivenMail extends Given {
  readonly mail: Mail
}

/** Accepts mails. The worker sends them, in any process. */
export class Mailer extends Context.Service<Mailer, {
  /**
   * Writes the mail down, in the caller's transaction if there is one: it is sent if and only if that commits. Talks to
   * no mail server, so it takes the same time with and without one.
   */
  enqueue(mail: Mail, given?: Given): Effect.Effect<void>
  /** The same of many, in one statement. */
  enqueueAll(mails: ReadonlyArray<GivenMail>): Effect.Effect<void>
  /** Deletes the mails about these ids that were not sent, in the caller's transaction; says how many. */
  takeBack(about: ReadonlyArray<string>): Effect.Effect<number>
  /** The same with those alone that were to leave later; says when. */
  takeBackWaiting(about: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<DateTime.Utc>>
  /** Readiness: for how many seconds the oldest due mail has waited for a worker; 0 without such a mail. */
  readonly oldestDueSeconds: Effect.Effect<number>
}>()("turma/platform/mail/Mailer") {
  static readonly layerNoDeps = Layer.effect(
    Mailer,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const mails = yield* MailsRepo
      const random = yield* SecureRandom.SecureRandom
      const sealing = yield* Sealing
      const signal = yield* MailSignal

      const sealed = Effect.fnUntraced(function*({ about = null, leaves_at, mail, urgent = false }: GivenMail) {
        const id = MailId.make(yield* random.uuidV7())
        const json = yield* Effect.orDie(encode(mail))
        const content = yield* sealing.seal(new TextEncoder().encode(json), bindingOf(id))
        return { id, content, about, urgent, due: leaves_at ?? (yield* DateTime.now) }
      })

      const enqueueAll = Effect.fn("Mailer.enqueueAll")(function*(given: ReadonlyArray<GivenMail>) {
        if (given.length === 0) return
        yield* mails.insert(yield* Effect.forEach(given, sealed))
        yield* sql.afterCommit(signal.notify)
      })

      const enqueue = Effect.fn("Mailer.enqueue")((mail: Mail, given: Given = {}) => enqueueAll([{ ...given, mail }]))

      const oldestDueSeconds = Effect.gen(function*() {
        const oldest = yield* mails.oldestDue
        if (Option.isNone(oldest)) return 0
        return Duration.toSeconds(DateTime.distance(oldest.value, yield* DateTime.now))
      })

      return Mailer.of({
        enqueue,
        enqueueAll,
        takeBack: mails.removeAbout,
        takeBackWaiting: mails.removeWaiting,
        oldestDueSeconds
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([MailsRepo.layer, MailSignal.layer, PooledRandomLayer]))
}
