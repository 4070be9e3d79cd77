import { Effect, Option } from "effect"
import { randomUUIDv7 } from "node:crypto"
import { readFailure } from "../../platform/http/ApiError.ts"
import type { JsonObject } from "../../platform/http/document/Schemas.ts"
import type { AgentCaller } from "./AgentCaller.ts"
import type { ContractTool } from "./AgentTools.ts"
import type { ApiAnswer } from "./ApiCall.ts"

/** The answer to a tool, or why it did not run. */
export type Outcome =
  | { readonly _tag: "Done"; readonly result: JsonObject }
  | { readonly _tag: "Refused"; readonly text: string }

const refused = (text: string): Outcome => ({ _tag: "Refused", text })

/** In words that a model can act upon: the code, what is wrong, and when to try again. */
const failureText = ({ body, headers, status }: ApiAnswer): string => {
  const { code, message } = Option.match(readFailure(body), {
    onNone: () => ({ code: `http_${status}`, message: "The API answered with something that is not its own" }),
    onSome: ({ error }) => error
  })
  const wait = headers["retry-after"]
  const id = status >= 500 ? headers["x-request-id"] : undefined
  return [
    `${code}: ${message}.`,
    ...(wait === undefined ? [] : [`Try again in ${wait} seconds.`]),
    ...(id === undefined ? [] : [`The request's id is ${id}.`])
  ].join(" ")
}

/** Calls a tool: one request of the API, in the name of the caller. */
export const callTool = (tool: ContractTool, given: JsonObject, caller: AgentCaller): Effect.Effect<Outcome> =>
  Effect.gen(function*() {
    const { organization_id } = yield* caller.rights
    const request = tool.arguments.request(given, { organization_id, freshKey: randomUUIDv7() })
    if ("_tag" in request) return refused(request.message)
    const answer = yield* caller.call(request)
    return answer.status < 300
      ? { _tag: "Done" as const, result: tool.result(answer) }
      : refused(failureText(answer))
  }).pipe(Effect.catchTag("ApiUnreachable", ({ message }) => Effect.succeed(refused(message))))
