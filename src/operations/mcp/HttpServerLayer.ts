import { Effect, Layer } from "effect"
import { McpServer } from "effect/ai"
import { HttpRouter } from "effect/http"
import { CurrentAgentCaller } from "./AgentCaller.ts"
import type { ContractOperation } from "./ContractOperations.ts"
import { about, protocols, registrationsLayer } from "./ToolServer.ts"

const callerOfRequest = Effect.flatMap(
  CurrentAgentCaller,
  (caller) => caller === undefined ? Effect.die(new Error("A message came without a caller")) : Effect.succeed(caller)
)

/** The library's server on a router of its own, for messages whose caller is known. Its streams end with their message. */
export const serverLayer = (path: `/${string}`, operations: ReadonlyArray<ContractOperation>) =>
  McpServer.layerHttp({
    ...about,
    path,
    protocols,
    allowSessionTermination: true,
    allowSubscriptions: false,
    registrations: registrationsLayer(operations, callerOfRequest)
  }).pipe(Layer.provideMerge(HttpRouter.layer))
