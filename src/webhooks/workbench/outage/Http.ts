import { Effect } from "effect"
import { versioned } from "../../../platform/http/Contract.ts"
import { data } from "../../../platform/http/Page.ts"
import { group } from "../../../platform/http/server/group.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { WebhookOutagesApi } from "./Api.ts"
import { simulateOutage } from "./simulateOutage.ts"

/** Answers the routes of `WebhookOutagesApi`. */
export const WebhookOutagesHttp = group(
  versioned(WebhookOutagesApi),
  "webhookOutages",
  Effect.fn(function*(handlers) {
    const rules = yield* WebhookRules
    return handlers.handleAll({ simulate: ({ payload }) => Effect.map(simulateOutage(payload, rules), data) })
  })
)
