import { unlessAborted } from "../attempts/Attempt.ts"
import { type Exchange, exchanged } from "../attempts/Exchange.ts"
import type { Fetch } from "../attempts/Fetch.ts"
import type {
  Answer,
  CallOptions,
  CallOptionsOf,
  ItemOf,
  Listed,
  OperationId,
  ParamsByPart,
  Patience,
  StreamEvent,
  StreamOptions
} from "../contract/Call.ts"
import type { Paths, Resources, StreamId } from "../contract/Resources.ts"
import { listed } from "../lists/Listed.ts"
import { followed } from "../streams/Followed.ts"
import { parseBaseUrl } from "./BaseUrl.ts"
import { addressOf, type Given, type Route } from "./Route.ts"
import { bodyOf, checkedToken, furtherHeaders, idempotencyKeyOf } from "./Sent.ts"
import { surfaceOf } from "./Surface.ts"

type Token = string | null | undefined

/** The address of the service, the token to call it with, and the bounds of calls. */
export interface TurmaOptions extends Patience {
  /** Where the service is, without `/v1`: `https://turma.example`. Over HTTPS, except on this machine. */
  readonly baseUrl: string | URL
  /**
   * A key of the club or a session's token, or what answers it for each call. It is sent to `baseUrl` alone. Without one,
   * only open operations answer.
   */
  readonly token?: Token | (() => Token | Promise<Token>)
  /** Another `fetch` than that of the runtime. */
  readonly fetch?: Fetch | undefined
}

type Answered<Method, Id extends OperationId> = Id extends StreamId ? AsyncIterableIterator<StreamEvent<Id>>
  : Method extends "GET" ? [ItemOf<Answer<Id>>] extends [never] ? Promise<Answer<Id>> : Listed<Answer<Id>>
  : Promise<Answer<Id>>

type OptionsOf<Id extends OperationId> = Id extends StreamId ? StreamOptions : CallOptionsOf<Id>

type ByPath<Method extends keyof Paths> = <Path extends keyof Paths[Method]>(
  path: Path,
  ...args: Paths[Method][Path] extends infer Id extends OperationId
    ? Record<never, never> extends ParamsByPart<Id> ? [params?: ParamsByPart<Id>, options?: OptionsOf<Id>]
    : [params: ParamsByPart<Id>, options?: OptionsOf<Id>]
    : never
) => Paths[Method][Path] extends infer Id extends OperationId ? Answered<Method, Id> : never

/** A client of every operation: by its name, or by its method and path. */
export interface Turma extends Resources {
  /** Reads: `turma.GET("/v1/clubs/{clubId}/students", { path: { clubId }, query: { limit: 50 } })`. */
  readonly GET: ByPath<"GET">
  /** Creates, or does something. */
  readonly POST: ByPath<"POST">
  /** Replaces. */
  readonly PUT: ByPath<"PUT">
  /** Changes. */
  readonly PATCH: ByPath<"PATCH">
  /** Removes. */
  readonly DELETE: ByPath<"DELETE">
}

/** The bounds of a call: its own, or else the client's. */
const boundsOf = (own: Patience, all: Patience = {}) => {
  const bounds = {
    retries: own.retries ?? all.retries ?? 3,
    timeout: own.timeout ?? all.timeout ?? 30_000,
    totalTimeout: own.totalTimeout ?? all.totalTimeout ?? 90_000
  }
  if (!(bounds.retries >= 0 && bounds.timeout > 0 && bounds.totalTimeout > 0)) {
    throw new RangeError("retries must be 0 or more, timeout and totalTimeout more than 0")
  }
  return bounds
}

const repeatable = new Set(["GET", "PUT", "DELETE"])

/**
 * A client of the service: `turma.<group>.<operation>({ …parameters, body }, options)`, named as in the reference.
 *
 * ```ts
 * const turma = createTurma({ baseUrl: "https://turma.example", token: process.env.TURMA_TOKEN })
 * const { data: student } = await turma.students.create({ clubId, body: { name: "Bia Lima", email: "bia@example.com" } })
 * for await (const { name } of turma.students.list({ clubId, limit: 100 })) console.log(name)
 * ```
 *
 * After a temporary failure, a call that is safe to repeat is tried again; for that, each creation gets an
 * `Idempotency-Key`. Failures are `TurmaError`s.
 */
export function createTurma(options: TurmaOptions): Turma
// The table decides which functions exist, so their types cannot follow from the code: they are the contract's.
export function createTurma({ fetch: given, token, ...patience }: TurmaOptions): object {
  const base = parseBaseUrl(patience.baseUrl)
  boundsOf(patience)
  if (typeof token !== "function") checkedToken(token)
  const fetch: Fetch = given ?? ((url, init) => globalThis.fetch(url, init))

  const tokenOf = async (signal: AbortSignal | undefined) =>
    checkedToken(typeof token === "function" ? await unlessAborted(signal, async () => token()) : token)

  const exchangeOf = async (
    id: string,
    route: Route,
    parts: Given,
    { idempotencyKey, signal, ...options }: CallOptions
  ): Promise<Exchange> => {
    const headers = furtherHeaders(options.headers)
    // Its fields would go into the address, which logs contain.
    if (route.body && parts.body === undefined) throw new TypeError(`${id} needs a body`)
    if (idempotencyKey !== undefined && !route.key) throw new TypeError(`${id} takes no idempotencyKey`)
    const key = route.key ? idempotencyKeyOf(idempotencyKey) : undefined
    const url = base + addressOf(route, parts)
    const bounds = boundsOf(options, patience)
    const known = route.open ? undefined : await tokenOf(signal)
    const { body, headers: ofBody } = bodyOf(parts.body)
    return {
      operation: id,
      fetch,
      method: route.method,
      url,
      headers: {
        accept: route.stream ? "text/event-stream" : "application/json, text/csv, text/calendar",
        ...headers,
        ...ofBody,
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(known === undefined ? {} : { authorization: `Bearer ${known}` })
      },
      body,
      token: known,
      repeatable: key !== undefined || repeatable.has(route.method),
      bounds,
      signal,
      onResponse: options.onResponse ?? patience.onResponse
    }
  }

  async function* stream(id: string, route: Route, parts: Given, { lastEventId, ...options }: StreamOptions) {
    const headers = { ...options.headers, "last-event-id": lastEventId }
    yield* followed(await exchangeOf(id, route, parts, { ...options, headers }), lastEventId)
  }

  const call = (id: string, route: Route, parts: Given, options: StreamOptions) => {
    if (route.stream) return stream(id, route, parts, options)
    const ask = async (given: Given) => exchanged(await exchangeOf(id, route, given, options))
    if (!route.list) return ask(parts)
    return listed((cursor) => ask(cursor === undefined ? parts : { ...parts, query: { ...parts.query, cursor } }))
  }
  return surfaceOf(call)
}
