import { Effect, Layer } from "effect"
import { McpServer } from "effect/ai"
import type { AgentCaller } from "./AgentCaller.ts"
import type { ContractOperation } from "./ContractOperations.ts"
import { StandardLinesLayer } from "./StandardLines.ts"
import { about, protocols, registrationsLayer } from "./ToolServer.ts"

/** The library's server on standard input and output, until the input ends. Nothing else may write to the output. */
export const stdioServerLayer = (operations: ReadonlyArray<ContractOperation>, caller: AgentCaller) =>
  McpServer.layerStdio({
    ...about,
    protocols,
    registrations: registrationsLayer(operations, Effect.succeed(caller))
  }).pipe(Layer.provide(StandardLinesLayer), Layer.orDie)
