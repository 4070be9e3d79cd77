import type { Schemas } from "../../../../sdk/index.ts"
import type { Endpoint } from "./EndpointHealth.ts"

// The result of a test. Pure.

type Detail = Schemas["WebhookDeliveryDetail"]

/** The result of its last attempt. Without an attempt: that it ended, or the reason for its wait. */
export type TestOutcome = "accepted" | "canceled" | "later" | "listener" | "refused"

/** The result of a test to an endpoint of this kind. */
export const outcomeOf = (
  { attempts, status }: Pick<Detail, "status"> & {
    readonly attempts: ReadonlyArray<Pick<Detail["attempts"][number], "error">>
  },
  kind: Endpoint["kind"]
): TestOutcome => {
  const attempt = attempts.at(-1)
  if (attempt !== undefined) return attempt.error === null ? "accepted" : "refused"
  if (status === "succeeded") return "accepted"
  if (status !== "pending") return "canceled"
  return kind === "listener" ? "listener" : "later"
}
