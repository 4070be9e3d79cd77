import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Latch, Layer, Option } from "effect"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { PublicUrls } from "../../../../src/platform/http/ServerSettings.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { Sender } from "../../../../src/webhooks/send/Sender.ts"
import { InboxSenderLayerNoDeps } from "../../../../src/webhooks/workbench/inbox/InboxSender.ts"
import { Reception } from "../../../../src/webhooks/workbench/inbox/Reception.ts"

const origin = "https://turma.example"

/** How many deliveries inboxes are taking now, the most so far, and the latch that releases them. */
const taking = { now: 0, most: 0, go: Latch.makeUnsafe() }

const TestLayer = InboxSenderLayerNoDeps.pipe(
  Layer.provide([
    Layer.mock(Sender, {}),
    Layer.mock(Reception, {
      deliver: () =>
        Effect.gen(function*() {
          taking.now += 1
          taking.most = Math.max(taking.most, taking.now)
          yield* taking.go.await
          taking.now -= 1
          return Option.some({ status: 202, delay_ms: 0, retry_after_seconds: null })
        })
    }),
    PublicUrls.layer,
    WebhookRules.layer
  ]),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ PUBLIC_URL: origin })))
)

layer(TestLayer)("Deliveries to inboxes", (it) => {
  it.effect("are handed over four at a time in a process, and the others wait for their turn", () =>
    Effect.gen(function*() {
      const { send } = yield* Sender
      const request = {
        url: `${origin}/play/${"t".repeat(43)}`,
        headers: { "webhook-id": "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c" },
        body: new Uint8Array(),
        club_id: ClubId.make("019d4860-0000-7000-8000-000000000000")
      }
      const sending = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () => Effect.forkChild(send(request), { startImmediately: true })
      )
      assert.deepStrictEqual([taking.now, taking.most], [4, 4])
      yield* taking.go.open
      const results = yield* Effect.forEach(sending, (fiber) => Fiber.join(fiber))
      assert.deepStrictEqual(results.map(({ status_code }) => status_code), results.map(() => 202))
      assert.deepStrictEqual([taking.now, taking.most], [0, 4])
    }))
})
