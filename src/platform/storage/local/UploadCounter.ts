import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerRespondable } from "effect/http"

/** Counts the request of an upload before its body is read. Its failure is the answer. */
export class UploadCounter extends Context.Service<UploadCounter, {
  readonly count: Effect.Effect<void, HttpServerRespondable.Respondable, HttpServerRequest.HttpServerRequest>
}>()("turma/platform/storage/local/UploadCounter") {}
