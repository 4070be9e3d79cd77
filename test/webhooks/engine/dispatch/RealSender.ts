import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert } from "@effect/vitest"
import { ConfigProvider, Context, Duration, Effect, Latch, Layer, Logger } from "effect"
import { Dns, NetAddress } from "effect/net"
import { PublicUrls } from "../../../../src/platform/http/ServerSettings.ts"
import {
  WebhookDispatcher,
  webhookDispatcherLayer
} from "../../../../src/webhooks/engine/dispatch/WebhookDispatcher.ts"
import { LaneNotifications } from "../../../../src/webhooks/engine/lane/LaneNotifications.ts"
import { Addresses } from "../../../../src/webhooks/send/Addresses.ts"
import { HttpsSenderLayerNoDeps } from "../../../../src/webhooks/send/HttpsSender.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { caFile, testCa } from "../../../harness/Tls.ts"
import { attemptRows, deliveryRow, laneRow, type MadeEndpoint, makeDelivery } from "../../../harness/Webhooks.ts"
import { GroundLayer, lasting, NoDisabling } from "./Engine.ts"

/** The authority that signed the receivers' certificates. */
export const ca = testCa()

/** Wakes the dispatcher without moving the clock, so no attempt times out. */
class Bell extends Context.Service<Bell, { readonly ring: Effect.Effect<void> }>()("test/Bell") {
  static readonly layer = Layer.effectContext(Effect.gen(function*() {
    const latch = yield* Latch.make()
    let count = 0
    const notifications = LaneNotifications.of({
      count: () => count,
      after: (seen) => Effect.suspend(() => count > seen ? Effect.void : latch.await)
    })
    const ring = Effect.suspend(() => {
      count += 1
      return Effect.asVoid(latch.release)
    })
    return Context.make(Bell, { ring }).pipe(Context.add(LaneNotifications, notifications))
  }))
}

const a = (address: string) =>
  Dns.makeRecordUnsafe("A", {
    address: NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(address.split(".").map(Number)))
  })
/** Resolves once a request comes for the name with the silent server. */
export const silentAsked = Promise.withResolvers<void>()
const moves = ["127.0.0.1", "10.0.0.1"]
const names: Record<string, Effect.Effect<ReadonlyArray<string>, Dns.DnsError>> = {
  "many.example.com": Effect.succeed(Array.from({ length: 500 }, (_, i) => `127.0.${i >> 8}.${i & 255}`)),
  "broken.example.com": Effect
    .fail(new Dns.DnsError({ reason: "ServerFailure", method: "resolve", hostname: "broken.example.com" })),
  "silent.example.com": Effect.andThen(Effect.sync(() => silentAsked.resolve()), Effect.never),
  "moving.example.com": Effect.sync(() => moves.splice(0, 1))
}
const DnsLayer = Layer.succeed(
  Dns.Dns,
  Dns.make({
    lookup: () => Effect.die("Names are asked of the DNS alone"),
    resolve: (name, type) =>
      type === "A" ? Effect.map(names[name] ?? Effect.succeed([]), (all) => all.map(a)) : Effect.succeed([])
  })
)

/** A worker with the real sender. It looks for work when the bell rings. */
export const RealSenderLayer = Layer.unwrap(Effect.map(caFile(ca), (file) => {
  const variables = {
    ...lasting,
    PUBLIC_URL: "https://turma.example",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_EXTRA_CA_FILE: file,
    // Retries wait for 20 days, so that they stay away while other receivers take their time.
    WEBHOOK_RETRY_SCHEDULE: "20 days"
  }
  const SenderLayer = HttpsSenderLayerNoDeps.pipe(
    Layer.provide([Addresses.layerNoDeps.pipe(Layer.provide([DnsLayer, PublicUrls.layer])), NodeFileSystem.layer]),
    Layer.provide(Logger.layer([])),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
  )
  return webhookDispatcherLayer({ pollEvery: Duration.seconds(1) }).pipe(
    Layer.provide(WebhookDispatcher.layer),
    Layer.provide([NoDisabling, SenderLayer]),
    Layer.provideMerge(Bell.layer),
    Layer.provideMerge(GroundLayer(variables))
  )
}))

/** Delivers to the endpoint. Returns the attempts once one of them is recorded and the lane is free. */
export const deliver = Effect.fnUntraced(function*(
  endpoint: MadeEndpoint,
  meanwhile: Effect.Effect<void> = Effect.void
) {
  const { id } = yield* makeDelivery(endpoint)
  yield* (yield* Bell).ring
  yield* meanwhile
  const { attempts_count, status } = yield* eventually(deliveryRow(id), ({ attempts_count }) => attempts_count > 0)
  yield* eventually(laneRow(endpoint), ({ lease_id }) => lease_id === null)
  assert.strictEqual(attempts_count, 1)
  const [attempt, ...others] = yield* attemptRows(id)
  if (attempt === undefined) return assert.fail("The attempt left no row")
  assert.deepStrictEqual(others, [])
  assert.deepStrictEqual([attempt.number, status], [1, attempt.error === null ? "succeeded" : "pending"])
  return attempt
})
