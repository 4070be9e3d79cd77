import "effect/schema/SchemaJITCompiler/enable"
import { Effect, Layer, Logger } from "effect"
import { FetchHttpClient } from "effect/http"
import { Api } from "../../Api.ts"
import type { Scope } from "../../identity/people/Scope.ts"
import { operationsOf } from "../../operations/mcp/ContractOperations.ts"
import { remoteCaller } from "../../operations/mcp/Remote.ts"
import { stdioServerLayer } from "../../operations/mcp/StdioServerLayer.ts"
import { active } from "../profile/Active.ts"

/** Serves the tools of a service that runs elsewhere over standard input and output, which is for messages alone. */
export const serveStdio = Effect.fnUntraced(
  function*(tools: ReadonlyArray<Scope> | null) {
    const caller = yield* remoteCaller(yield* active, tools)
    return yield* Layer.launch(stdioServerLayer(operationsOf(Api), caller))
  },
  Effect.provide(FetchHttpClient.layer),
  Effect.provideService(Logger.LogToStderr, true)
)
