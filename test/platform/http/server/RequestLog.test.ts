import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, foundClub, send } from "../../../harness/App.ts"

const secret = "a-long-random-text"

layer(appLayer({ INTERNAL_SECRET: secret }), { timeout: "60 seconds" })("an answered request", (it) => {
  it.effect("is counted under its route, of the contract or beside it, refused or not", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      for (const url of ["/docs", "/openapi.json", "/internal/metrics", "/v1/health", path]) yield* send("GET", url)
      yield* send("GET", path, { token })
      yield* send("GET", "/nothing")
      const { text } = yield* send("GET", "/internal/metrics", { token: secret })
      const counted = [...text.matchAll(/^turma_http_requests_total\{(.*)\} \d+$/gm)].map(([, labels = ""]) => {
        const value = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1]
        return `${value("route")} ${value("status")}`
      })
      // Metrics are the process's, so other tests may have counted too.
      assert.includeMembers(counted, [
        "/docs 200",
        "/openapi.json 200",
        "/internal/metrics 401",
        "/v1/health 200",
        "/v1/clubs/:clubId 401",
        "/v1/clubs/:clubId 200",
        "unknown 404"
      ])
    }))
})
