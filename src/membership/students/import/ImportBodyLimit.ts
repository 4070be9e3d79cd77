import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"

/** Bounds the body of imports before it is read: 5,000 rows are more than the 1 MiB of other requests. */
export class ImportBodyLimit
  extends HttpApiMiddleware.Service<ImportBodyLimit>()("turma/membership/students/import/ImportBodyLimit")
{}

/** A body of at most 4 MiB. */
export const ImportBodyLimitLayer = Layer.succeed(
  ImportBodyLimit,
  (httpEffect) => Effect.provideService(httpEffect, HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(4))
)
