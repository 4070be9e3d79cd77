import "effect/schema/SchemaJITCompiler/enable"
import { Config, Effect, Layer, Logger, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { Api } from "../../Api.ts"
import { operationsOf } from "../../operations/mcp/ContractOperations.ts"
import { remoteCaller } from "../../operations/mcp/Remote.ts"
import { stdioServerLayer } from "../../operations/mcp/StdioServerLayer.ts"
import { UsageError } from "../errors/UsageError.ts"

const usualUrl = "http://127.0.0.1:3000"

const presented = Config.all({
  url: Config.withDefault(Config.URL("TURMA_URL"), new URL(usualUrl)),
  key: Config.option(Config.Redacted("TURMA_KEY"))
})

const service = Effect.gen(function*() {
  const { key, url } = yield* Effect.mapError(
    presented,
    () => new UsageError({ message: `TURMA_URL must be where the service is, such as ${usualUrl}` })
  )
  if (Option.isNone(key)) {
    return yield* new UsageError({ message: "Set TURMA_KEY to a key of the club, turma_…" })
  }
  return { url: `${url.origin}${url.pathname.replace(/\/$/, "")}`, key: key.value }
})

/** Serves the tools of a service that runs elsewhere over standard input and output, which is for messages alone. */
export const serveStdio = Effect.gen(function*() {
  const caller = yield* remoteCaller(yield* service)
  return yield* Layer.launch(stdioServerLayer(operationsOf(Api), caller))
}).pipe(
  Effect.provide(FetchHttpClient.layer),
  Effect.provideService(Logger.LogToStderr, true)
)
