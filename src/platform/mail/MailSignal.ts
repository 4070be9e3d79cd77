import { Context, Layer } from "effect"
import { announcedSignal } from "../jobs/Announcement.ts"
import type { Signal } from "../jobs/Signal.ts"
import type { WorkQueue } from "../jobs/WorkQueue.ts"

/** The mails that wait, and those whose lease ends. */
export const waitingMails: WorkQueue = {
  name: "mails",
  waiting: (sql) => sql`from mails`,
  nextDue: (sql) =>
    sql`
      (select least(
        (select min(next_attempt_at) from mails where urgent), (select min(next_attempt_at) from mails where not urgent)
      ))`
}

/** Tells workers that a mail waits. */
export class MailSignal extends Context.Service<MailSignal, Signal>()("turma/platform/mail/MailSignal") {
  static readonly layer = Layer.effect(MailSignal, announcedSignal(waitingMails))
}
