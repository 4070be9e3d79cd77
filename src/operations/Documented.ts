import { flow } from "effect"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { eventTypes } from "../events/EventTypes.ts"
import { withConditionalReads } from "../platform/http/document/ConditionalReads.ts"
import { polishDocument } from "../platform/http/document/OpenApiDocument.ts"
import { audiencesOf } from "./OpenApi.ts"
import { webhooksOf } from "./SentEvents.ts"
import { tagGroupsOf } from "./TagGroups.ts"

/** A contract with what its document says beside what can be generated. */
export const documented = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>
): HttpApi.HttpApi<Id, Groups> =>
  contract.annotate(
    OpenApi.Transform,
    flow(
      withConditionalReads(contract),
      polishDocument({
        audiences: audiencesOf(contract),
        webhooks: webhooksOf(eventTypes),
        tagGroups: tagGroupsOf(contract),
        contact: { name: "Whoever runs this service" },
        schemes: {
          userSession:
            "An administrator's session: the `access_token` that `POST /v1/auth/admin/sign-in` answers to an address and its password, or `POST /v1/auth/admin/exchange` to a mailed code. `POST /v1/auth/admin/sign-up` creates the account. It is opaque, ends after 7 days without use and 30 days in all unless the service says otherwise, and ends at once by `DELETE /v1/auth/session`",
          clubKey:
            "A key of one club, for its own servers, terminals and agents: the `token` that `POST /v1/clubs/{clubId}/keys` answers to an administrator. It starts with `turma_` and has a role, scopes or both. It never does more than its member may, and ends at once when it is revoked",
          studentSession:
            "A student's session, of one club: the `access_token` that `POST /v1/auth/sign-in` answers to the club, an address and its password, or `POST /v1/auth/exchange` to a mailed code. `POST /v1/auth/sign-up` or the club creates the account. It is opaque, ends after 30 days without use and 180 days in all unless the service says otherwise, and ends at once by `DELETE /v1/auth/session`"
        }
      })
    )
  )
