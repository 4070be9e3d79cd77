import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { Stripe } from "stripe"
import { readJson } from "../../../../platform/http/JsonText.ts"
import { waitsOutside } from "../../../../platform/http/request/OutsideWaits.ts"
import type { StripeSettings } from "../../settings/BillingSettings.ts"
import { failureOf, type StripeFailure, StripeUnreachable } from "./StripeFailure.ts"

/** The settings, and how long a call may take. */
interface StripeAccess extends StripeSettings {
  /** How long one call may take. */
  readonly timeout?: Duration.Duration
}

const defaultTimeout = Duration.seconds(10)

/** The largest age of a signature, in seconds: an older request may be a replay. */
const tolerance = 300

/** The most pages of 100 that are read of a list; more would be a fault of ours. */
const maxPages = 200

const sdkOf = ({ base_url, key, timeout = defaultTimeout }: StripeAccess) => {
  const { hostname, port, protocol } = new URL(base_url)
  return new Stripe(Redacted.value(key), {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
    protocol: protocol === "http:" ? "http" : "https",
    // The queues retry; the SDK must not do so while a request waits.
    maxNetworkRetries: 0,
    timeout: Duration.toMillis(timeout),
    telemetry: false
  })
}

/** The page of a list. */
interface PageOfList {
  readonly limit: number
  readonly starting_after?: string
}

/** Stripe's official SDK, with answers that are parsed and failures that are values. */
export class StripeClient extends Context.Service<StripeClient, {
  /** Makes one call and decodes the answer. */
  call<S extends Schema.Codec<unknown, unknown>>(
    answer: S,
    call: (sdk: Stripe) => Promise<unknown>
  ): Effect.Effect<S["Type"], StripeFailure>
  /** All items of a list, page by page. */
  all<Item extends { readonly id: string }>(
    page: (page: PageOfList) => Effect.Effect<
      { readonly data: ReadonlyArray<Item>; readonly has_more: boolean },
      StripeFailure
    >
  ): Effect.Effect<ReadonlyArray<Item>, StripeFailure>
  /** The JSON of an event, if Stripe has signed it recently; fails otherwise. */
  verified(body: Uint8Array, signature: string, received_at: number): Effect.Effect<unknown, void>
}>()("turma/commerce/billing/stripe/api/StripeClient") {
  static readonly layer = (access: StripeAccess) =>
    Layer.sync(StripeClient, () => {
      const sdk = sdkOf(access)
      const timeout = access.timeout ?? defaultTimeout

      const call = Effect.fn("StripeClient.call")(function*<S extends Schema.Codec<unknown, unknown>>(
        answer: S,
        ask: (sdk: Stripe) => Promise<unknown>
      ) {
        const answered = yield* Effect.tryPromise({ try: () => ask(sdk), catch: failureOf }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new StripeUnreachable({ why: "it takes too long", answered: false }))
          }),
          waitsOutside
        )
        return yield* Effect.mapError(
          Schema.decodeUnknownEffect(answer)(answered),
          () => new StripeUnreachable({ why: "an answer of another shape", answered: false })
        )
      })

      const all = Effect.fnUntraced(function*<Item extends { readonly id: string }>(
        page: (page: PageOfList) => Effect.Effect<
          { readonly data: ReadonlyArray<Item>; readonly has_more: boolean },
          StripeFailure
        >
      ) {
        const found: Array<Item> = []
        for (let number = 0; number < maxPages; number++) {
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
        return isSigned === true
          ? yield* Effect.mapError(readJson(body), () => undefined)
          : yield* Effect.fail(undefined)
      })

      return StripeClient.of({ call, all, verified })
    })
}
