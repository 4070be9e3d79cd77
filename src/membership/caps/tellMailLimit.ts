import { DateTime, Duration, Effect } from "effect"
import { retryAfter } from "../../platform/http/RetryAfter.ts"
import type { MailCapReached } from "./MailCaps.ts"
import { MailLimitReached } from "./MailLimit.ts"

/** How a handler answers that too many mails were caused. */
export const tellMailLimit = Effect.fnUntraced(function*({ until }: MailCapReached) {
  const left = Duration.toSeconds(DateTime.distance(yield* DateTime.now, until))
  yield* retryAfter(Math.max(1, Math.ceil(left)))
  return yield* new MailLimitReached()
})
