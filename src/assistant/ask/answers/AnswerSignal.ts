import { Context, Layer } from "effect"
import { announcedSignal } from "../../../platform/jobs/Announcement.ts"
import type { Signal } from "../../../platform/jobs/Signal.ts"
import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"

/** The answers that no worker has, and those whose lease ends. */
export const waitingAnswers: WorkQueue = {
  name: "answers",
  nextDue: (sql) =>
    sql`
      (select coalesce(leased_until, 'epoch') from messages where status = 'generating'
      order by leased_until nulls first, id limit 1)`
}

/** Tells workers that a question was asked. */
export class AnswerSignal extends Context.Service<AnswerSignal, Signal>()("turma/assistant/ask/answers/AnswerSignal") {
  static readonly layer = Layer.effect(AnswerSignal, announcedSignal(waitingAnswers))
}
