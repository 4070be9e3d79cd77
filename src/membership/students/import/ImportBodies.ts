import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"

/** For imports, outside of what reads the body: 5,000 rows are more than the 1 MiB of other requests. */
export class ImportBodies extends HttpApiMiddleware.Service<ImportBodies>()("turma/students/ImportBodies") {}

/** A body of at most 4 MiB. */
export const ImportBodiesLayer = Layer.succeed(
  ImportBodies,
  (httpEffect) => Effect.provideService(httpEffect, HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(4))
)
