import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, appLayer, codeOf, send } from "../../harness/App.ts"

const secret = "a-long-random-text"

layer(AppLayer)("The metrics, without a secret", (it) => {
  it.effect("are no route at all", () =>
    Effect.gen(function*() {
      const answer = yield* send("GET", "/internal/metrics", { token: secret })
      assert.deepStrictEqual([answer.status, codeOf(answer)], [404, "not_found"])
    }))
})

layer(appLayer({ INTERNAL_SECRET: secret }))("The metrics", (it) => {
  it.effect("are for who holds the secret", () =>
    Effect.gen(function*() {
      for (const sent of [{}, { token: "guess" }, { headers: { authorization: `Basic ${secret}` } }]) {
        const answer = yield* send("GET", "/internal/metrics", sent)
        assert.deepStrictEqual([answer.status, codeOf(answer)], [401, "unauthenticated"])
      }
    }))

  it.effect("count requests by method, route template and status, whatever ids and unknown paths there are", () =>
    Effect.gen(function*() {
      const club = "/v1/clubs/0c9a5ad4-4d5e-4b0c-9d8e-1f6f2a3b4c5d"
      yield* send("GET", club)
      yield* send("GET", `${club}/gamification`)
      for (const path of ["/wp-admin", "/v1/no-such-route/here", "/confirm?token=a-secret"]) yield* send("GET", path)
      const { headers, status, text } = yield* send("GET", "/internal/metrics", { token: secret })
      assert.strictEqual(status, 200)
      assert.match(headers["content-type"] ?? "", /^text\/plain; version=0\.0\.4/)
      const routes = [...text.matchAll(/^turma_http_requests_total\{(.*?)\} (\d+)$/gm)].map(([, labels]) =>
        labels ?? ""
      )
      const templates = new Set(routes.map((labels) => /route="([^"]*)"/.exec(labels)?.[1]))
      assert.includeMembers([...templates], ["/v1/clubs/:clubId", "/v1/clubs/:clubId/gamification", "unknown"])
      assert.include(routes.join("\n"), "method=\"GET\"")
      assert.include(routes.join("\n"), "status=\"401\"")
      assert.notMatch(text, /0c9a5ad4|wp-admin|no-such-route|a-secret/)
      assert.match(text, /^turma_http_request_duration_seconds_bucket\{.*le="0\.005".*\} \d+$/m)
    }))
})
