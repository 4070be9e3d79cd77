import { Effect } from "effect"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { MailCaps } from "../caps/MailCaps.ts"

/**
 * Takes back the unsent mails about a student. Counts `mails`. Last, since others that mail the address wait for the
 * end of the transaction.
 */
export const mailEraser: Effect.Effect<StudentEraser, never, MailCaps | Mailer> = Effect.gen(function*() {
  const mailer = yield* Mailer
  const caps = yield* MailCaps

  // Only invitations of buyers wait, and the caps get their places back. Otherwise a club that sells and removes again
  // and again would use up an address for other clubs for days. Mails without a wait stay counted: they may have left.
  const takeBackWaiting = Effect.fnUntraced(function*({ email, student_id }: ErasureSubject) {
    const times = yield* mailer.takeBackWaiting([student_id])
    yield* caps.giveBack("student_invitation", email, times)
    return times.length
  })

  const erase = Effect.fn("MailEraser.erase")(function*(person: ErasureSubject) {
    const waiting = yield* takeBackWaiting(person)
    return { mails: waiting + (yield* mailer.takeBack([person.student_id])) }
  })

  // The link of a waiting mail ends with the change, and the mail is for the old mailbox.
  const addressChanged = Effect.fn("MailEraser.addressChanged")(takeBackWaiting, Effect.asVoid)

  return { turn: "last", addressChanged, erase }
})
