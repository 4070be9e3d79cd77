import { Effect, Metric } from "effect"
import type { EndpointId } from "../../model/EndpointId.ts"
import type { Failed, NoticeEvent } from "./Notice.ts"

const notices = (kind: NoticeEvent) =>
  Metric.counter("turma_webhook_notices_total", {
    description:
      "Times that an endpoint was held for an hour, came back, was about to be disabled or was, or a secret ended",
    incremental: true,
    attributes: { kind }
  })

/** Tells operators, by a line of the log that always has this name and by a counter. */
export const noticeEvent = (
  kind: NoticeEvent,
  { endpoint_id, failure }: { readonly endpoint_id: EndpointId; readonly failure: Failed | null }
): Effect.Effect<void> => {
  const cause = failure === null ? {} : { error: failure.error, status_code: failure.status_code }
  return Effect.andThen(
    Metric.update(notices(kind), 1),
    Effect.logInfo("webhook_endpoint_notice", { kind, endpoint_id, ...cause })
  )
}
