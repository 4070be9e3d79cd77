import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { closedContractOf } from "../../../platform/http/Contract.ts"
import { whole } from "../../../platform/http/Page.ts"
import { group } from "../../../platform/http/server/group.ts"
import { WebhookKeysApi } from "./Api.ts"
import { PublicKeys } from "./PublicKeys.ts"

/** A replaced key signs for a day, so a list of some minutes ago verifies all the same. */
const mayBeKept = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(response.status === 200
    ? HttpServerResponse.setHeader(response, "cache-control", "public, max-age=300")
    : response)
)

/** Answers the route of `WebhookKeysApi`. */
export const WebhookKeysHttp = group(
  closedContractOf(WebhookKeysApi),
  "webhookKeys",
  Effect.fn(function*(handlers) {
    const keys = yield* PublicKeys
    return handlers.handleAll({
      list: ({ params }) => Effect.andThen(mayBeKept, Effect.map(keys.of(params.endpointId), whole))
    })
  })
)
