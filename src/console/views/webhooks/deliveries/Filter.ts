import { momentIn } from "../../../../browser/client/Time.ts"
import type { Schemas } from "../../../../sdk/index.ts"
import { idIn } from "../../../club/Ids.ts"
import { isEventType } from "../model/Typed.ts"

// Which deliveries are listed: what the address says. Pure.

export type Status = Schemas["WebhookDelivery"]["status"]
type EventType = Schemas["WebhookDelivery"]["event_type"]

/** The statuses, as the filter has them. */
export const statuses: ReadonlyArray<Status> = ["pending", "succeeded", "failed", "canceled"]

/** As the API takes it. */
export interface Filter {
  readonly status?: Status
  readonly event_type?: EventType
  readonly since?: string
  readonly until?: string
  readonly student_id?: string
  readonly event_id?: string
  readonly endpoint_id?: string
}

/** The filter in an address. Values without a meaning drop out. */
export const filterOf = (query: URLSearchParams): Filter => {
  const status = statuses.find((one) => one === query.get("status"))
  const type = query.get("type") ?? ""
  const since = momentIn(query.get("since"))
  const until = momentIn(query.get("until"))
  const [student, event, endpoint] = ["student", "event", "endpoint"].map((name) => idIn(query.get(name) ?? ""))
  return {
    ...(status === undefined ? {} : { status }),
    ...(isEventType(type) ? { event_type: type } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(student === undefined ? {} : { student_id: student }),
    ...(event === undefined ? {} : { event_id: event }),
    ...(endpoint === undefined ? {} : { endpoint_id: endpoint })
  }
}

/** True if it leaves any delivery out. */
export const isNarrow = (filter: Filter): boolean => Object.keys(filter).length > 0
