import { Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { HttpClientResponse } from "effect/http"
import { makeClient, withIdempotencyKey } from "../../../Client.ts"
import type { ListenerResult } from "../../../webhooks/listener/Listener.ts"
import { EndpointId } from "../../../webhooks/model/EndpointId.ts"
import { WebhookDeliveryId } from "../../../webhooks/model/WebhookDeliveryId.ts"
import type { Remote } from "./Remote.ts"

/** The service did not do what was asked. A status of 0 says that it was not reached. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  status: Schema.Int,
  /** For people; it is the service's own where it said something. */
  message: Schema.String,
  /** Seconds, where the service says when to come again. */
  retry_after: Schema.NullOr(Schema.Number)
}) {}

/** Whether the same request may soon succeed. */
export const mayPass = ({ status }: Refused): boolean => status === 0 || status === 429 || status >= 500

/** How many writes the club has left, and for how many seconds they are to last. */
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
const Failure = Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })

const readMade = Schema.decodeUnknownEffect(Made)
const readTypes = Schema.decodeUnknownEffect(Types)
const readPolled = Schema.decodeUnknownEffect(Polled)
const readFailure = Schema.decodeUnknownOption(Failure)

type Response = HttpClientResponse.HttpClientResponse

const secondsIn = (text: string | undefined) => text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null

const allowanceIn = ({ headers }: Response): Option.Option<Allowance> => {
  const [, remaining, seconds] = /"club-writes";r=(\d+);t=(\d+)/.exec(headers["ratelimit"] ?? "") ?? []
  return remaining === undefined
    ? Option.none()
    : Option.some({ remaining: Number(remaining), seconds: Number(seconds) })
}

const unreached = (url: string) => () => new Refused({ status: 0, message: `${url} is not reached`, retry_after: null })

/** For longer no answer is waited for; a poll waits 25 seconds by itself. */
const patience = "45 seconds"

/** What listening asks of the service, each once. The answers are the service's as they come. */
export const makeUpstream = Effect.fnUntraced(function*({ club_id: clubId, key, url }: Remote) {
  const client = yield* makeClient({ baseUrl: url, token: key })
  const random = yield* SecureRandom.SecureRandom
  const bare = { responseMode: "response-only" } as const
  const ofClub = { params: { clubId } }
  const one = (endpointId: EndpointId) => ({ params: { clubId, endpointId } })
  const other = (listenerId: EndpointId) => ({ params: { clubId, listenerId } })

  const answered = Effect.fnUntraced(function*<E, R>(request: Effect.Effect<Response, E, R>) {
    const response = yield* request.pipe(
      Effect.timeout(patience),
      Effect.mapError(unreached(url))
    )
    if (response.status < 300) return response
    const said = readFailure(yield* Effect.orElseSucceed(response.json, () => null))
    const message = Option.match(said, {
      onNone: () => `${url} answers ${response.status}`,
      onSome: ({ error }) => error.message
    })
    const retry_after = secondsIn(response.headers["retry-after"])
    return yield* new Refused({ status: response.status, message, retry_after })
  })

  const notOurs = () => new Refused({ status: 400, message: `What ${url} answers is not Turma's`, retry_after: null })

  const read = <A, E, E2, R>(
    request: Effect.Effect<Response, E, R>,
    decode: (json: unknown) => Effect.Effect<A, E2>
  ) => Effect.flatMap(answered(request), (response) => Effect.mapError(Effect.flatMap(response.json, decode), notOurs))

  return {
    /** Every type of event that there is. */
    types: Effect.map(
      read(client.webhookEndpoints.eventTypes({ ...ofClub, ...bare }), readTypes),
      ({ data }) => data.map(({ type }) => type)
    ),
    create: Effect.fnUntraced(function*(event_types: ReadonlyArray<string>, description: string) {
      const payload = { event_types, description }
      const idempotencyKey = yield* Effect.orDie(random.uuidV4())
      const { data } = yield* read(
        client.webhookListeners.create({ ...ofClub, payload, ...bare }).pipe(withIdempotencyKey(idempotencyKey)),
        readMade
      )
      return data
    }),
    setTypes: (id: EndpointId, event_types: ReadonlyArray<string>) =>
      Effect.asVoid(
        answered(client.webhookEndpoints.update({ ...one(id), payload: { event_types }, ...bare }))
      ),
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
    /** Answers how many writes are left. */
    record: (id: EndpointId, results: ReadonlyArray<ListenerResult>) =>
      Effect.map(
        answered(client.webhookListeners.record({ ...other(id), payload: { results }, ...bare })),
        allowanceIn
      ),
    remove: (id: EndpointId) => Effect.asVoid(answered(client.webhookEndpoints.remove({ ...one(id), ...bare })))
  }
})
export type Upstream = Effect.Success<ReturnType<typeof makeUpstream>>
