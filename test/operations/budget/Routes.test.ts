import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { trafficOf, WiredAppLayer } from "../../harness/Wire.ts"
import { type Hot, hotRoutes, turns } from "./HotRoutes.ts"

/**
 * The cost of a request of each route, measured on the connection to PostgreSQL: statements, including `begin` and
 * `commit`, and round trips. If a route needs fewer, its new numbers go here.
 */
const budgets: Record<string, readonly [statements: number, roundTrips: number]> = {
  "GET /v1/health": [0, 0],
  "GET /v1/me": [2, 2],
  "GET /v1/auth/session": [1, 1],
  "GET …": [2, 2],
  "GET …/gamification": [2, 2],
  "PUT …/gamification/levels": [3, 3],
  "GET …/gamification/levels/spread": [3, 3],
  "GET …/gamification/ranking": [2, 2],
  "GET …/members": [2, 2],
  "GET …/students": [2, 2],
  "GET …/students, a search": [2, 2],
  "GET …/students/{id}": [4, 2],
  "POST …/students/{id}/grants": [8, 7],
  "GET …/students/{id}/points": [3, 2],
  "GET …/students/{id}/purchases": [2, 2],
  "GET …/students/{id}/subscriptions": [2, 2],
  "GET …/students/{id}/progress": [2, 2],
  "GET …/courses": [2, 2],
  "GET …/courses/{id}": [2, 2],
  "GET …/courses/{id}/outline": [2, 2],
  "GET …/lessons/{id}/blocks": [3, 3],
  "GET …/deliveries": [2, 2],
  "GET …/deliveries/{id}": [2, 2],
  "GET …/media": [2, 2],
  "GET …/comments": [2, 2],
  "GET …/comments/moderation": [3, 3],
  "POST …/comments/{id}/replies": [10, 9],
  "GET …/support/conversations": [2, 2],
  "POST …/support/conversations/{id}/messages": [17, 14],
  "POST …/assignments/submissions/{id}/approve": [9, 7],
  "GET …/product-mappings": [2, 2],
  "GET …/unmapped-products": [2, 2],
  "GET …/inbound-events": [2, 2],
  "GET …/inbound-webhooks/{id}/events": [3, 3],
  "POST /webhooks/hotmart/{token}": [2, 2],
  "GET …/billing": [1, 1],
  "GET /.well-known/turma/webhook-keys/{id}": [1, 1],
  "GET …/webhook-endpoints": [2, 2],
  "GET …/webhook-endpoints/series": [2, 2],
  "GET …/webhook-endpoints/diagnoses": [2, 2],
  // A query that grows with the club has its own connection, so it does not share a round trip with the others.
  "GET …/webhook-endpoints/{id}/series": [3, 3],
  "GET …/webhook-endpoints/{id}/recover": [3, 3],
  "GET …/webhook-deliveries": [2, 2],
  "GET …/events": [2, 2],
  "GET …/webhook-endpoints/{id}/stats": [3, 3],
  "GET …/webhook-endpoints/{id}/deliveries": [3, 2],
  "GET …/webhook-endpoints/{id}/deliveries/{id}": [3, 2],
  "GET …/classroom": [2, 2],
  "GET …/classroom/home": [4, 3],
  "GET …/classroom/courses/{publicId}": [2, 2],
  "GET …/classroom/lessons/{publicId}": [2, 2],
  "PUT …/classroom/lessons/{publicId}/position": [2, 2],
  "PUT …/completion, the first time": [3, 3],
  "PUT …/completion, repeated": [2, 2],
  "POST …/classroom/quizzes/{id}/attempts, passed": [7, 5],
  "GET …/classroom/gamification": [2, 2],
  "GET …/classroom/points": [3, 2],
  "GET …/classroom/ranking": [2, 2],
  "GET …/classroom/ranking, 7 days": [3, 3],
  "GET …/classroom/repositories": [2, 2],
  "GET …/classroom/lives": [2, 2],
  "POST …/classroom/lives/{id}/join, the first time": [7, 4],
  "GET …/classroom/me": [2, 2],
  "GET …/ask": [2, 2],
  "GET …/classroom/community": [2, 2],
  "GET …/classroom/people": [2, 2],
  "GET …/classroom/search": [2, 2],
  "GET …/classroom/spaces": [2, 2],
  "PUT …/classroom/spaces/{id}/seen": [2, 2],
  "GET …/classroom/community/spaces/{id}/posts": [3, 3],
  "POST …/classroom/community/spaces/{id}/posts": [8, 6],
  "GET …/classroom/community/posts/{id}/comments": [3, 3],
  "GET …/classroom/lessons/{publicId}/comments": [3, 3],
  "POST …/classroom/lessons/{publicId}/comments": [8, 7],
  "GET …/classroom/support/conversations": [2, 2],
  "POST …/classroom/support/conversations/{id}/messages": [10, 7]
}

layer(WiredAppLayer)("A request", (it) => {
  it.effect("costs exactly the statements and round trips that its route has", () =>
    Effect.gen(function*() {
      const routes: Record<string, Hot> = yield* hotRoutes()
      const costs: typeof budgets = {}
      for (const [name, hot] of Object.entries(routes)) {
        const each = yield* Effect.forEach(
          Array.from({ length: turns }, (_, turn) => turn),
          (turn) =>
            trafficOf(Effect.map(hot(turn), ({ status, text }) => {
              if (status >= 300) assert.fail(`${name}: ${status} ${text}`)
            }))
        )
        const least = (field: "roundTrips" | "statements") => Math.min(...each.map((traffic) => traffic[field]))
        costs[name] = [least("statements"), least("roundTrips")]
      }
      assert.deepStrictEqual(costs, budgets)
    }))
})
