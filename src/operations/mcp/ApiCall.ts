import { type Effect, Schema } from "effect"

/** A request of the API, as a tool makes it. */
export interface ApiRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string
}

/** What the API answered. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The API could not be asked. */
export class ApiUnreachable extends Schema.TaggedError<ApiUnreachable>()("ApiUnreachable", {
  message: Schema.String
}) {}

/** Sends a request with the key that the agent presents, and nothing else of the agent's. */
export interface CallApi {
  (request: ApiRequest): Effect.Effect<ApiAnswer, ApiUnreachable>
}
