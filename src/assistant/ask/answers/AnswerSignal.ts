import { Context, Layer } from "effect"
import { announcedSignal } from "../../../platform/jobs/Announcement.ts"
import type { Signal } from "../../../platform/jobs/Signal.ts"
import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"

/** The answers that no worker has, and those whose lease ends. */
export const waitingAnswers: WorkQueue = {
  name: "answers",
  waiting: (sql) => sql`from messages where status = 'generating'`,
  oldest: (sql) =>
    sql`
    (select created_at from messages where status = 'generating' and leased_until is null order by id limit 1)`,
  nextDue: (sql) =>
    sql`
      (select coalesce(leased_until, 'epoch') from messages where status = 'generating'
      order by leased_until nulls first, id limit 1)`
}

/** Wakes workers for a new question. */
export class AnswerSignal extends Context.Service<AnswerSignal, Signal>()("turma/assistant/ask/answers/AnswerSignal") {
  static readonly layer = Layer.effect(AnswerSignal, announcedSignal(waitingAnswers))
}
