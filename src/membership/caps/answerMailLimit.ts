import { DateTime, Duration, Effect } from "effect"
import { retryAfter } from "../../platform/http/RetryAfter.ts"
import type { MailCapReached } from "./MailCaps.ts"
import { MailLimitReached } from "./MailLimitReached.ts"

/** Answers a handler's `MailCapReached` as 429 with `Retry-After`. */
export const answerMailLimit = Effect.fnUntraced(function*({ until }: MailCapReached) {
  const left = Duration.toSeconds(DateTime.distance(yield* DateTime.now, until))
  yield* retryAfter(Math.max(1, Math.ceil(left)))
  return yield* new MailLimitReached()
})
