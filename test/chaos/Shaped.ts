import { DateTime, Effect, Option, Result } from "effect"
import { verifySignature } from "../../src/webhooks/send/Signature.ts"
import { parsePublicKey } from "../../src/webhooks/send/SigningKey.ts"
import { ask } from "../harness/Turma.ts"
import { at, type Club } from "./Clubs.ts"
import type { Stand } from "./Stand.ts"

const own = { "x-key": "chaos" }

/** Lets every event of a student through. */
const filter = { field: "data.student.id", exists: true }

/** Gives an endpoint of a club all its optional settings, and inspects all requests to it from then on. */
export const shape = Effect.fn("shape")(function*(stand: Stand, api: string, { base, endpoints, token }: Club) {
  const [endpoint] = endpoints
  if (endpoint === undefined) return yield* Effect.die(new Error("The club has no endpoint"))
  const answer = yield* ask(`${api}${base}/webhook-endpoints/${endpoint.id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ signing: "both", headers: own, max_per_second: 50, max_in_flight: 8, filter })
  })
  const key = Option.getOrUndefined(parsePublicKey(String(at(answer.json, "data", "public_key"))))
  if (key === undefined) return yield* Effect.die(new Error(`Not shaped: ${answer.text}`))
  yield* stand.target.inspect(endpoint.path, (headers, body) => {
    const sent = {
      id: headers["webhook-id"],
      timestamp: headers["webhook-timestamp"],
      signature: headers["webhook-signature"]
    }
    const now = DateTime.makeUnsafe(Number(sent.timestamp) * 1000)
    const verified = verifySignature({ ...sent, body, now, secrets: [], publicKeys: [key] })
    if (Result.isFailure(verified)) return `its key does not confirm it: ${verified.failure.reason}`
    return headers["x-key"] === own["x-key"] ? undefined : `x-key is ${headers["x-key"]}`
  })
})
