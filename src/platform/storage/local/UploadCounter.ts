import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerRespondable } from "effect/http"

/** Counts the request of an upload before anything of it is read. What it fails with is the answer. */
export class UploadCounter extends Context.Service<UploadCounter, {
  readonly count: Effect.Effect<void, HttpServerRespondable.Respondable, HttpServerRequest.HttpServerRequest>
}>()("turma/platform/storage/local/UploadCounter") {}
