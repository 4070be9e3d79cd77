import type { Events, Operations, Schemas } from "./Schemas.ts"

export type { Schemas }

/** The id of an operation, as the reference has it: `students.list`. */
export type OperationId = keyof Operations

type Nothing = Record<never, never>

type Simple<Type> = { [Key in keyof Type]: Type[Key] }

type PartOf<Id extends OperationId, Part extends string> = Part extends keyof Operations[Id] ? Operations[Id][Part]
  : Nothing

/** The parameters in the path of an operation. */
export type PathParams<Id extends OperationId> = Simple<PartOf<Id, "path">>

/** The parameters in the query of an operation; null and undefined are omitted. */
export type QueryParams<Id extends OperationId> = {
  [Name in keyof PartOf<Id, "query">]?: PartOf<Id, "query">[Name] | null | undefined
}

type BodyOf<Operation> = Operation extends { body: infer Body } ? { body: Body }
  : Operation extends { body?: infer Body } ? "body" extends keyof Operation ? { body?: Body | undefined } : Nothing
  : Nothing

/** The arguments of an operation: the parameters of its path and its query, and `body` if it has one. */
export type Params<Id extends OperationId> = Simple<PathParams<Id> & QueryParams<Id> & BodyOf<Operations[Id]>>

/** The same in its parts, for a call by method and path. */
export type ParamsByPart<Id extends OperationId> = Simple<
  & (Nothing extends PathParams<Id> ? { path?: PathParams<Id> | undefined } : { path: PathParams<Id> })
  & { query?: QueryParams<Id> | undefined }
  & BodyOf<Operations[Id]>
>

/** The answer of an operation, as it stands in the contract: `{ data }`, `{ data, next_cursor }`, or nothing. */
export type Answer<Id extends OperationId> = Operations[Id]["answer"]

/** The facts about an answer that are known before its body is read. */
export interface Received {
  /** The id of the operation: `students.list`. */
  readonly operation: string
  readonly status: number
  /** The answer's headers: of the whole answer `ETag`, `RateLimit` and `Idempotency-Replayed` are there too. */
  readonly headers: { readonly get: (name: string) => string | null }
  /** Which attempt it answers, from 1. */
  readonly attempt: number
}

/** How to call: for one call, or for all as an option of `createTurma`. Times are milliseconds. */
export interface Patience {
  /** How often to try again after a failure that may pass: 3 times unless said otherwise. */
  readonly retries?: number | undefined
  /** How long one attempt may take, its body included; in a stream, how long nothing may come. 30 seconds. */
  readonly timeout?: number | undefined
  /** How long all attempts with the waits between them may take: 90 seconds. Streams last as long as they do. */
  readonly totalTimeout?: number | undefined
  /** Gets each answer: for logs, or for headers such as `ETag`. */
  readonly onResponse?: ((received: Received) => void) | undefined
}

/** The options of one call. */
export interface CallOptions extends Patience {
  /** Ends the call at any point; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Of creations: instead of the random key that each gets. The same key creates once in 24 hours. */
  readonly idempotencyKey?: string | undefined
  /** Further headers, such as `If-None-Match` or `Accept-Language`. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

/** The options of a call of this operation: only creations take an `idempotencyKey`. */
export type CallOptionsOf<Id extends OperationId> = "key" extends keyof Operations[Id] ? CallOptions
  : Omit<CallOptions, "idempotencyKey">

/** The options of a stream. */
export interface StreamOptions extends Omit<CallOptions, "idempotencyKey"> {
  /** The `id` of the last event that is known: the stream begins after it. */
  readonly lastEventId?: string | undefined
}

type Arguments<Given, Options> = Nothing extends Given ? [params?: Given, options?: Options]
  : [params: Given, options?: Options]

/** Calls an operation. */
export interface Call<Id extends OperationId> {
  (...args: Arguments<Params<Id>, CallOptionsOf<Id>>): Promise<Answer<Id>>
}

/** An item of a page: `data` are the items, or has them as `entries` beside the fields of the whole page. */
export type ItemOf<Page> = Page extends { data: ReadonlyArray<infer Item> } ? Item
  : Page extends { data: { entries: ReadonlyArray<infer Item> } } ? Item
  : never

/**
 * A list. Awaited, it is its first page; iterated, it is all items, with the next page asked for when it is wanted.
 * Nothing is asked before one of both.
 */
export interface Listed<Page> extends Promise<Page>, AsyncIterable<ItemOf<Page>> {
  /** All pages, one after the other. */
  readonly pages: () => AsyncIterableIterator<Page>
}

/** Lists. */
export interface List<Id extends OperationId> {
  (...args: Arguments<Params<Id>, CallOptionsOf<Id>>): Listed<Answer<Id>>
}

/** An event of a stream; `id` is its position, from which a stream can go on. */
export type StreamEvent<Id extends OperationId> = Answer<Id>

/** Follows a stream: its events until the last, over as many connections as it takes. */
export interface Stream<Id extends OperationId> {
  (...args: Arguments<Params<Id>, StreamOptions>): AsyncIterableIterator<StreamEvent<Id>>
}

/** The types of webhook events, such as `student.created`. */
export type WebhookEventType = keyof Events

/** The body of a webhook of this type. */
export type WebhookEventOf<Type extends WebhookEventType> = Events[Type]

/** The body of a webhook, told apart by `type`. */
export type WebhookEvent = Events[WebhookEventType]
