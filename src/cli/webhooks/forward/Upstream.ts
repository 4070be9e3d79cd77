import { Effect, Option, Schema } from "effect"
import { HttpClientError, type HttpClientResponse } from "effect/http"
import { makeClient, withIdempotencyKey } from "../../../Client.ts"
import { readFailure } from "../../../platform/http/ApiError.ts"
import { notText } from "../../../platform/text/Unreadable.ts"
import { bodyText, NotUtf8 } from "../../../platform/text/Utf8.ts"
import { eventTypeName } from "../../../webhooks/endpoint/EventTypeNames.ts"
import type { ListenerResult } from "../../../webhooks/listener/Listener.ts"
import { EndpointId } from "../../../webhooks/model/EndpointId.ts"
import { WebhookDeliveryId } from "../../../webhooks/model/WebhookDeliveryId.ts"
import { whyUnexpected } from "../../errors/Unreadable.ts"
import { harmlessLine } from "../../output/Harmless.ts"
import type { Remote } from "./Remote.ts"

/** The service did not do what was asked. A status of 0 says that it was not reached. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  status: Schema.Int,
  /** The service's code; empty if it sent no code. */
  code: Schema.String,
  /** For people; it is the service's own where it said something. */
  message: Schema.String,
  /** Seconds, where the service says when to come again. */
  retry_after: Schema.NullOr(Schema.Number)
}) {}

/** True if the same request may soon succeed. */
export const isTransient = ({ code, status }: Refused): boolean =>
  status === 0 || status === 429 || status >= 500 || code === "idempotency_in_progress"

/** True if another poll of the same listener has taken the place of this one. */
export const isTakenOver = ({ code }: Refused): boolean => code === "listener_taken_over"

/** Writes that the club has left, and the seconds for which they have to last. */
export interface Allowance {
  readonly remaining: number
  readonly seconds: number
}

// As few fields as are used, each as wide as it can be: the service may be newer than this.
const Made = Schema.Struct({ data: Schema.Struct({ id: EndpointId, secret: Schema.RedactedFromValue(Schema.String) }) })
const Types = Schema.Struct({ data: Schema.Array(Schema.Struct({ type: Schema.String })) })
const HandedOut = Schema.Struct({
  delivery_id: WebhookDeliveryId,
  event_id: Schema.String,
  attempt: Schema.Int,
  receipt: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.String
})
/** A delivery as the service hands it out. */
export type HandedOut = typeof HandedOut.Type
const Polled = Schema.Struct({ data: Schema.Struct({ deliveries: Schema.Array(HandedOut) }) })

const fromText = <A, I>(schema: Schema.Codec<A, I>) => Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
const readMade = fromText(Made)
const readTypes = fromText(Types)
const readPolled = fromText(Polled)

type Response = HttpClientResponse.HttpClientResponse

const secondsIn = (text: string | undefined) => text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null

const allowanceIn = ({ headers }: Response): Option.Option<Allowance> => {
  const [, remaining, seconds] = /"club-writes";r=(\d+);t=(\d+)/.exec(headers["ratelimit"] ?? "") ?? []
  return remaining === undefined
    ? Option.none()
    : Option.some({ remaining: Number(remaining), seconds: Number(seconds) })
}

const unreached = (url: string) =>
  new Refused({ status: 0, code: "", message: `${url} is not reached`, retry_after: null })

// A request that the contract does not allow. It is not sent, and would never be accepted.
const unsendable = ({ message }: Error) =>
  new Refused({ status: 422, code: "", message: harmlessLine(message), retry_after: null })

const notOurs = (url: string, why: string) =>
  new Refused({ status: 400, code: "", message: `The answer of ${url} is not Turma's: ${why}`, retry_after: null })

const refusal = (url: string, { headers, status }: Response, text: string) => {
  const said = Option.match(readFailure(text), {
    onNone: () => ({ code: "", message: `${url} answers ${status}` }),
    onSome: ({ error: { code, message } }) => ({ code, message: harmlessLine(message) })
  })
  return new Refused({ status, ...said, retry_after: secondsIn(headers["retry-after"]) })
}

/** For longer no answer is waited for, to its last byte; a poll waits 25 seconds by itself. */
const patience = "45 seconds"

/** The requests of `listen` to the service, each tried once. The answers are the service's own. */
export const makeUpstream = Effect.fnUntraced(function*({ club_id: clubId, key, url }: Remote) {
  const client = yield* makeClient({ baseUrl: url, token: key })
  const bare = { responseMode: "response-only" } as const
  const ofClub = { params: { clubId } }
  const one = (endpointId: EndpointId) => ({ params: { clubId, endpointId } })
  const other = (listenerId: EndpointId) => ({ params: { clubId, listenerId } })

  /** An answer and its text; an answer that breaks off, or never ends, fails. */
  const answered = <E extends Error, R>(request: Effect.Effect<Response, E, R>) =>
    Effect.flatMap(request, (response) => Effect.map(bodyText(response), (text) => ({ response, text }))).pipe(
      Effect.mapError((error) => {
        if (HttpClientError.isHttpClientError(error)) return unreached(url)
        return error instanceof NotUtf8 ? notOurs(url, notText) : unsendable(error)
      }),
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(unreached(url)) }),
      Effect.filterOrFail(
        ({ response }) => response.status < 300,
        ({ response, text }) => refusal(url, response, text)
      )
    )

  const read = <A, E extends Error, E2, R>(
    request: Effect.Effect<Response, E, R>,
    decode: (text: string) => Effect.Effect<A, E2>
  ) =>
    Effect.flatMap(
      answered(request),
      ({ text }) => Effect.mapError(decode(text), () => notOurs(url, whyUnexpected(text)))
    )

  return {
    /** Every type of event that there is. */
    types: Effect.map(
      read(client.webhookEndpoints.eventTypes({ ...ofClub, ...bare }), readTypes),
      ({ data }) => data.map(({ type }) => type)
    ),
    /** The key makes it once, however often it is sent. */
    create: (types: ReadonlyArray<string>, description: string, idempotency_key: string) => {
      const payload = { event_types: types.map(eventTypeName), description }
      return Effect.map(
        read(
          client.webhookListeners.create({ ...ofClub, payload, ...bare }).pipe(withIdempotencyKey(idempotency_key)),
          readMade
        ),
        ({ data }) => data
      )
    },
    setTypes: (id: EndpointId, types: ReadonlyArray<string>) => {
      const payload = { event_types: types.map(eventTypeName) }
      return Effect.asVoid(answered(client.webhookEndpoints.update({ ...one(id), payload, ...bare })))
    },
    poll: (id: EndpointId, query: { readonly limit: number; readonly except: ReadonlyArray<WebhookDeliveryId> }) => {
      const { except, limit } = query
      const excepted = except.length === 0 ? {} : { except }
      return Effect.map(
        read(
          client.webhookListeners.poll({ ...other(id), query: { limit, wait: 25, ...excepted }, ...bare }),
          readPolled
        ),
        ({ data }) => data.deliveries
      )
    },
    /** Answers how many writes the club still has. */
    record: (id: EndpointId, results: ReadonlyArray<ListenerResult>) =>
      Effect.map(
        answered(client.webhookListeners.record({ ...other(id), payload: { results }, ...bare })),
        ({ response }) => allowanceIn(response)
      ),
    remove: (id: EndpointId) => Effect.asVoid(answered(client.webhookEndpoints.remove({ ...one(id), ...bare })))
  }
})
export type Upstream = Effect.Success<ReturnType<typeof makeUpstream>>
