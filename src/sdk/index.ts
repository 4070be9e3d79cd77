// turma-sdk: the client of Turma without dependencies, for browsers, Node, Deno and edge runtimes. It imports nothing.
export type { Fetch, FetchInit, FetchReader, FetchResponse } from "./attempts/Fetch.ts"
export { createTurma, type Turma, type TurmaOptions } from "./client/Turma.ts"
export type {
  Answer,
  Call,
  CallOptions,
  CallOptionsOf,
  ItemOf,
  List,
  Listed,
  OperationId,
  Params,
  ParamsByPart,
  PathParams,
  Patience,
  QueryParams,
  Received,
  Schemas,
  Stream,
  StreamEvent,
  StreamOptions,
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType
} from "./contract/Call.ts"
export type { ErrorCode, Paths, Resources, StreamId } from "./contract/Resources.ts"
export {
  type ClientErrorCode,
  type Failure,
  TurmaConnectionError,
  TurmaError,
  TurmaTimeoutError
} from "./errors/TurmaError.ts"
export type { WebhookHeaders } from "./webhooks/Signed.ts"
export { type ReceivedWebhook, verifyWebhook } from "./webhooks/verifyWebhook.ts"
export { WebhookVerificationError, type WebhookVerificationReason } from "./webhooks/WebhookVerificationError.ts"
