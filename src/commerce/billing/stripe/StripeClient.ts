import { Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Stripe } from "stripe"
import { readJson } from "../../../platform/http/json/Json.ts"
import { waitsOutside } from "../../../platform/http/request/OutsideWaits.ts"
import { failureOf, type StripeFailure, StripeUnreachable } from "./StripeFailure.ts"

/** How Stripe is reached. */
export interface StripeAccess {
  readonly key: Redacted.Redacted
  readonly webhook_secret: Redacted.Redacted
  /** Without a path. */
  readonly base_url: string
  /** How long one call may take. */
  readonly patience?: Duration.Duration
}

const usualPatience = Duration.seconds(10)

/** An event that was signed longer ago is somebody's who has kept it, in seconds. */
const tolerance = 300

/** A list is gone through for so many pages of 100 at most: what has more is a fault of ours. */
const mostPages = 200

const sdkOf = ({ base_url, key, patience = usualPatience }: StripeAccess) => {
  const { hostname, port, protocol } = new URL(base_url)
  return new Stripe(Redacted.value(key), {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
    protocol: protocol === "http:" ? "http" : "https",
    // What is not done is asked again by whoever keeps what has to be done, not while a request waits.
    maxNetworkRetries: 0,
    timeout: Duration.toMillis(patience),
    telemetry: false
  })
}

/** Where a page of a list begins. */
interface Place {
  readonly limit: number
  readonly starting_after?: string
}

/** Stripe's official SDK, with answers that are parsed and failures that are values. */
export class StripeClient extends Context.Service<StripeClient, {
  /** One call, and what it answers. */
  call<S extends Schema.Codec<unknown, unknown>>(
    answer: S,
    call: (sdk: Stripe) => Promise<unknown>
  ): Effect.Effect<S["Type"], StripeFailure>
  /** Everything that a list has, page by page. */
  all<Item extends { readonly id: string }>(
    page: (place: Place) => Effect.Effect<
      { readonly data: ReadonlyArray<Item>; readonly has_more: boolean },
      StripeFailure
    >
  ): Effect.Effect<ReadonlyArray<Item>, StripeFailure>
  /** The bytes of an event, if Stripe has signed them lately; fails with nothing to tell otherwise. */
  verified(body: Uint8Array, signature: string, received_at: number): Effect.Effect<unknown, void>
}>()("turma/billing/stripe/StripeClient") {
  static readonly layer = (access: StripeAccess) =>
    Layer.sync(StripeClient, () => {
      const sdk = sdkOf(access)
      const patience = access.patience ?? usualPatience

      const call = Effect.fn("StripeClient.call")(function*<S extends Schema.Codec<unknown, unknown>>(
        answer: S,
        ask: (sdk: Stripe) => Promise<unknown>
      ) {
        const said = yield* Effect.tryPromise({ try: () => ask(sdk), catch: failureOf }).pipe(
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () => Effect.fail(new StripeUnreachable({ why: "it takes too long", answered: false }))
          }),
          waitsOutside
        )
        return yield* Effect.mapError(
          Schema.decodeUnknownEffect(answer)(said),
          () => new StripeUnreachable({ why: "an answer of another shape", answered: false })
        )
      })

      const all = Effect.fnUntraced(function*<Item extends { readonly id: string }>(
        page: (place: Place) => Effect.Effect<
          { readonly data: ReadonlyArray<Item>; readonly has_more: boolean },
          StripeFailure
        >
      ) {
        const found: Array<Item> = []
        for (let number = 0; number < mostPages; number++) {
          const last = found.at(-1)
          const { data, has_more } = yield* page({ limit: 100, ...(last && { starting_after: last.id }) })
          found.push(...data)
          if (!has_more || data.length === 0) return found
        }
        return yield* new StripeUnreachable({ why: "a list without end", answered: false })
      })

      const verified = Effect.fnUntraced(function*(body: Uint8Array, signature: string, received_at: number) {
        const isSigned = yield* Effect.tryPromise({
          try: async () =>
            sdk.webhooks.signature?.verifyHeaderAsync(
              Buffer.from(body),
              signature,
              Redacted.value(access.webhook_secret),
              tolerance,
              undefined,
              received_at
            ),
          catch: () => undefined
        })
        const json = isSigned === true ? yield* readJson(body) : Option.none()
        return Option.isSome(json) ? json.value : yield* Effect.fail(undefined)
      })

      return StripeClient.of({ call, all, verified })
    })
}
