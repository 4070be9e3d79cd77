import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, at, type foundClub, listAt, outcome, send, tokenAs } from "../../../harness/App.ts"
import { hottok, openHook, pathOf, post, sale } from "./Hooks.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"

type Club = Pick<Effect.Success<ReturnType<typeof foundClub>>, "path" | "token">

const read = ({ path, token }: Club, query = "") => send("GET", `${path}/inbound-events${query}`, { token })

/** The names of the listed events. */
const names = (club: Club, query = "") =>
  Effect.map(read(club, query), ({ json }) => listAt(json, "data").map((event) => at(event, "event_name")))

/** A second address of the club. */
const another = Effect.fnUntraced(function*({ path, token }: Club, platform: "hotmart" | "kiwify") {
  const { json } = yield* send("POST", `${path}/inbound-webhooks`, { token, body: { platform, token_only: true } })
  return { id: String(at(json, "data", "id")), post: pathOf(String(at(json, "data", "url"))) }
})

/** Three ignored events an hour apart, at two addresses of Hotmart and one of Kiwify. */
const told = Effect.gen(function*() {
  const hook = yield* openHook()
  const [second, kiwify] = [yield* another(hook, "hotmart"), yield* another(hook, "kiwify")]
  yield* post(hook.post, sale({ event: "ONE" }))
  const first_at = DateTime.formatIso(yield* DateTime.now)
  yield* TestClock.adjust("1 hour")
  yield* post(second.post, sale({ event: "TWO" }))
  const second_at = DateTime.formatIso(yield* DateTime.now)
  yield* TestClock.adjust("1 hour")
  yield* post(kiwify.post, { order_id: "k1", webhook_event_type: "THREE", order_status: "THREE" })
  return { hook, second, kiwify, first_at, second_at }
})

layer(AppLayer)("What all platforms have sent to a club", (it) => {
  it.effect("is listed newest first, as each address lists it, and nothing of another club", () =>
    Effect.gen(function*() {
      const { hook, kiwify, second } = yield* told
      yield* told
      const { json } = yield* read(hook)
      const ofEach = yield* Effect.forEach(
        [kiwify.id, second.id, hook.hook_id],
        (id) => send("GET", `${hook.path}/inbound-webhooks/${id}/events`, { token: hook.token })
      )
      assert.deepStrictEqual(listAt(json, "data"), ofEach.flatMap((answer) => listAt(answer.json, "data")))
      assert.lengthOf(listAt(json, "data"), 3)
      assert.deepStrictEqual((yield* names(hook)).slice(1), ["TWO", "ONE"])
      assert.lengthOf(yield* names(hook, "?limit=2"), 2)
    }))

  it.effect("tells the product of each, by the name that the platform told", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* post(hook.post, sale({ product: 4711 }))
      yield* post(hook.post, sale({ event: "PURCHASE_PROTEST" }))
      const { json } = yield* read(hook)
      assert.deepStrictEqual(listAt(json, "data").map((event) => at(event, "product")), [
        null,
        { external_id: "4711", name: "Violão do Zero" }
      ])
    }))

  it.effect("is narrowed by outcome, platform, address and time, together", () =>
    Effect.gen(function*() {
      const { first_at, hook, kiwify, second, second_at } = yield* told
      yield* post(hook.post, sale())
      const [sold, third] = yield* names(hook)
      assert.strictEqual(sold, "PURCHASE_APPROVED")
      const cases: Record<string, ReadonlyArray<unknown>> = {
        "?outcome=ignored": [third, "TWO", "ONE"],
        "?outcome=pending": [sold],
        "?outcome=failed": [],
        "?platform=hotmart": [sold, "TWO", "ONE"],
        "?platform=kiwify": [third],
        "?platform=stripe": [],
        [`?inbound_webhook_id=${hook.hook_id}`]: [sold, "ONE"],
        [`?inbound_webhook_id=${kiwify.id}&platform=hotmart`]: [],
        [`?inbound_webhook_id=${unknownId}`]: [],
        [`?since=${second_at}`]: [sold, third, "TWO"],
        [`?until=${second_at}`]: ["ONE"],
        [`?since=${first_at}&until=${second_at}`]: ["ONE"],
        [`?platform=hotmart&outcome=ignored&inbound_webhook_id=${second.id.toUpperCase()}`]: ["TWO"]
      }
      for (const [query, expected] of Object.entries(cases)) {
        assert.deepStrictEqual(yield* names(hook, query), expected, query)
      }
      for (const query of ["?outcome=lost", "?platform=other", "?since=yesterday", "?inbound_webhook_id=1"]) {
        assert.deepStrictEqual(outcome(yield* read(hook, query)), [422, "validation_failed"], query)
      }
    }))

  it.effect("finds nothing of another club's address", () =>
    Effect.gen(function*() {
      const [{ hook }, other] = [yield* told, yield* told]
      assert.deepStrictEqual(yield* names(hook, `?inbound_webhook_id=${other.hook.hook_id}`), [])
    }))

  it.effect("comes page by page across the addresses", () =>
    Effect.gen(function*() {
      const { hook } = yield* told
      const [third] = yield* names(hook)
      const first = yield* read(hook, "?limit=2")
      assert.deepStrictEqual(listAt(first.json, "data").map((event) => at(event, "event_name")), [third, "TWO"])
      assert.deepStrictEqual(yield* names(hook, `?limit=2&cursor=${at(first.json, "next_cursor")}`), ["ONE"])
      assert.deepStrictEqual(outcome(yield* read(hook, "?cursor=x")), [400, "invalid_cursor"])
    }))

  it.effect("stays when its address is deleted", () =>
    Effect.gen(function*() {
      const { hook, second } = yield* told
      yield* send("DELETE", `${hook.path}/inbound-webhooks/${second.id}`, { token: hook.token })
      assert.include(yield* names(hook), "TWO")
    }))

  it.effect("is the administration's alone", () =>
    Effect.gen(function*() {
      const { hook } = yield* told
      for (const role of ["viewer", "support", "editor"] as const) {
        assert.strictEqual((yield* read({ ...hook, token: yield* tokenAs(hook, role) })).status, 403)
      }
      assert.notInclude((yield* read(hook)).text, hottok)
    }))
})
