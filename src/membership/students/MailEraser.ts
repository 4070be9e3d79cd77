import { Effect } from "effect"
import type { Forgotten, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { MailCaps } from "../caps/MailCaps.ts"

/**
 * Takes back the mails about a student that were not sent. Counts `mails`. Last, since whoever mails the address waits for
 * the end of the transaction.
 */
export const mailEraser: Effect.Effect<StudentEraser, never, MailCaps | Mailer> = Effect.gen(function*() {
  const mailer = yield* Mailer
  const caps = yield* MailCaps

  // Only invitations of buyers wait. Their places are given back: a club that sells and removes again and again would
  // otherwise leave other clubs none for days. What was to leave at once keeps its place: it may have left.
  const takeBackWaiting = Effect.fnUntraced(function*({ email, student_id }: Forgotten) {
    const times = yield* mailer.takeBackWaiting([student_id])
    yield* caps.giveBack("student_invitation", email, times)
    return times.length
  })

  const erase = Effect.fn("MailEraser.erase")(function*(person: Forgotten) {
    const waiting = yield* takeBackWaiting(person)
    return { mails: waiting + (yield* mailer.takeBack([person.student_id])) }
  })

  // The link that waits is for the old mailbox, and lets nobody in once the address is changed.
  const moved = Effect.fn("MailEraser.moved")(takeBackWaiting, Effect.asVoid)

  return { turn: "last", moved, erase }
})
