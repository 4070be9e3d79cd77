import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
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
      list: asMember(({ query }, { club }) => agents.list(club.id, query)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(agents.patch(club.id, params.agentId, payload), data)
      )
    })
  })
)
