import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, foundClub } from "../../../harness/App.ts"
import { call } from "../../../harness/RawHttp.ts"

layer(AppLayer)("X-Request-Id", (it) => {
  const idOf = Effect.fnUntraced(function*(inbound?: string) {
    const headers = inbound === undefined ? {} : { "X-Request-Id": inbound }
    return (yield* call("GET", "/v1/health", { headers })).headers["x-request-id"]
  })

  it.effect.each(["a", "A.b_c-9", "x".repeat(64)])("is kept when it is one: %s", (inbound) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* idOf(inbound), inbound)
    }))

  it.effect.each(["", "x".repeat(65), "a b", "a/b", "<script>", "a\u00e9", "a, b"])(
    "is replaced when it is none: %s",
    (inbound) =>
      Effect.gen(function*() {
        const id = yield* idOf(inbound)
        assert.match(id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      })
  )

  it.effect("is replaced when it is a key of a club, which must not be in logs", () =>
    Effect.gen(function*() {
      const key = `turma_h7Tq2XwA_${"0".repeat(49)}`
      assert.lengthOf(key, 64)
      assert.notInclude(yield* idOf(key), "000000000000000")
      assert.strictEqual(yield* idOf("turma_order-7"), "turma_order-7")
    }))

  it.effect("is another for every request", () =>
    Effect.gen(function*() {
      assert.notStrictEqual(yield* idOf(), yield* idOf())
    }))

  it.effect("is on every answer, the one to nonsense included", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const answers = [
        yield* call("GET", "/openapi.json"),
        yield* call("GET", "/docs"),
        yield* call("DELETE", "/v1/auth/session", { token }),
        yield* call("OPTIONS", "*"),
        yield* call("GET", "/v1/health", { headers: { Connection: "close, Upgrade, HTTP2-Settings", Upgrade: "h2c" } })
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 204, 404, 200])
      for (const { headers } of answers) assert.isDefined(headers["x-request-id"])
    }))
})
