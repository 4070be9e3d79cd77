import { Effect, Redacted } from "effect"
import type { Sealing } from "../../platform/sql/Sealing.ts"
import { bindingOfSecret, type EndpointId } from "../model/EndpointId.ts"
import { formatSecret, newSecret } from "../send/Secret.ts"

/** A new signing secret of this endpoint: sealed, as it is stored, and as it is shown, once. */
export const sealedSecret = Effect.fnUntraced(function*(sealing: Sealing["Service"], id: EndpointId) {
  const secret = yield* newSecret
  const sealed = yield* sealing.seal(Redacted.value(secret), bindingOfSecret(id))
  return { sealed, secret: formatSecret(secret) }
})
