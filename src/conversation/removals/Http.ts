import { Effect } from "effect"
import { CurrentStudent } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { group } from "../../platform/http/server/group.ts"
import { RemovalRequestsApi } from "./Api.ts"
import { RemovalRequests } from "./RemovalRequests.ts"

const accepted = { data: { accepted: true } } as const
const requested = { data: { requested: true } } as const

/** Answers the routes of `RemovalRequestsApi`. */
export const RemovalRequestsHttp = group(
  versioned(RemovalRequestsApi),
  "removalRequests",
  Effect.fn(function*(handlers) {
    const requests = yield* RemovalRequests
    return handlers.handleAll({
      ask: () => CurrentStudent.use((student) => Effect.as(requests.ask(student), accepted)),
      confirm: ({ payload }) => Effect.as(requests.confirm(payload.token), requested)
    })
  })
)
