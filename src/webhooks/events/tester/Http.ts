import { Effect } from "effect"
import { asMember } from "../../../identity/people/asMember.ts"
import { versioned } from "../../../platform/http/Contract.ts"
import { data } from "../../../platform/http/Page.ts"
import { group } from "../../../platform/http/server/group.ts"
import { WebhookFiltersApi } from "./Api.ts"
import { FilterTests } from "./FilterTests.ts"

/** Answers the routes of `WebhookFiltersApi`. */
export const WebhookFiltersHttp = group(
  versioned(WebhookFiltersApi),
  "webhookFilters",
  Effect.fn(function*(handlers) {
    const tests = yield* FilterTests
    return handlers.handleAll({
      test: asMember(({ payload }, { club }) => Effect.map(tests.test(club.id, payload), data))
    })
  })
)
