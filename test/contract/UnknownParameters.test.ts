import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, at, foundClub, outcome, send } from "../harness/App.ts"
import { operations, type Parameter, resolve } from "../harness/Document.ts"
import { localFolder } from "../platform/storage/local/LocalFolder.ts"
import { askedWith, everything } from "./EveryOperation.ts"

// http-surface, Rulings: an unknown query parameter is 422 like an unknown field, but only after the check of rights.

const { folder } = localFolder()
const unknown = "018f0000-0000-7000-8000-000000000001"

/** Without the hooks of sales platforms, which may send any parameter. */
const ours = operations.filter(({ path }) => !path.startsWith("/webhooks/"))

const isSingle = (parameter: Parameter) => parameter.in === "query" && resolve(parameter.schema).type !== "array"

layer(appLayer({ DATA_DIR: folder, BILLING_PROVIDER: "local" }))(
  "A query parameter",
  (it) => {
    it.effect("that no schema has is refused by every operation, and by none before the right is shown", () =>
      Effect.gen(function*() {
        const world = yield* everything
        const stranger = yield* foundClub()
        assert.isAbove(ours.length, 250)
        for (const operation of ours) {
          const { body, path, tokens } = askedWith(operation, world, { webhookDeliveryId: unknown, eventId: unknown })
          const ask = (token: string | undefined) =>
            send(operation.method, `${path}${path.includes("?") ? "&" : "?"}zzz=1`, {
              ...(token === undefined ? {} : { token }),
              ...(body === undefined ? {} : { body })
            })
          const refusals = []
          for (const token of tokens) {
            const answer = yield* ask(token)
            if (answer.status === 422) refusals.push(answer)
            else assert.include([401, 403], answer.status, `${operation.name}: ${answer.text}`)
          }
          assert.isNotEmpty(refusals, operation.name)
          for (const answer of refusals) {
            assert.strictEqual(outcome(answer)[1], "validation_failed", operation.name)
            assert.match(String(at(answer.json, "error", "message")), /`zzz` is not a known parameter/, operation.name)
          }
          if (operation.schemes.length > 0) {
            assert.strictEqual((yield* ask(undefined)).status, 401, operation.name)
          }
          if (operation.path.startsWith("/v1/clubs/{clubId}") && operation.schemes.includes("userSession")) {
            assert.strictEqual((yield* ask(stranger.token)).status, 403, operation.name)
          }
        }
      }))

    it.effect("that is given twice is refused where it means one thing", () =>
      Effect.gen(function*() {
        const world = yield* everything
        const asked = ours.flatMap((operation) =>
          operation.parameters.filter(isSingle).map(({ name }) => ({ operation, name }))
        )
        assert.isAbove(asked.length, 100)
        for (const { name, operation } of asked) {
          const { body, path, tokens } = askedWith(operation, world, { webhookDeliveryId: unknown, eventId: unknown })
          const messages: Array<string> = []
          for (const token of tokens) {
            const { json, status } = yield* send(operation.method, `${path}?${name}=1&${name}=2`, {
              ...(token === undefined ? {} : { token }),
              ...(body === undefined ? {} : { body })
            })
            if (status === 422) messages.push(...String(at(json, "error", "message")).split("; "))
          }
          assert.include(messages, `${name} must be given once`, operation.name)
        }
      }))
  }
)
