import { Effect } from "effect"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { Agents } from "./Agents.ts"
import { AgentsApi } from "./Api.ts"

/** Answers the routes of `AgentsApi`. */
export const AgentsHttp = group(
  versioned(AgentsApi),
  "agents",
  Effect.fn(function*(handlers) {
    const agents = yield* Agents
    return handlers.handleAll({
      list: ({ query }) => CurrentMember.use(({ club }) => agents.list(club.id, query)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(agents.patch(club.id, params.agentId, payload), data))
    })
  })
)
