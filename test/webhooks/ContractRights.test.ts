import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { enrolledStudent, outcome, send, tokenAs } from "../harness/App.ts"
import { clubOperations, pathWith, sampleBody } from "../harness/Document.ts"
import { foundOnSaturday, WebhooksLayer } from "./Registering.ts"

// Contract, Authentication 6: managing webhook endpoints requires club administration permission, on every route.

const routes = clubOperations.filter(({ path }) => /^\/v1\/clubs\/\{clubId\}\/(?:webhook-|events(?:\/|$))/.test(path))

layer(WebhooksLayer)("Every route of outgoing webhooks", (it) => {
  it("is one of the 45 that there are", () => {
    assert.lengthOf(routes, 45)
  })

  it.effect("is closed to editors, support and viewers, and no route for students", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const student = yield* enrolledStudent(club)
      for (const route of routes) {
        const path = pathWith(route, { clubId: club.organization_id }, randomUUID())
        const body = sampleBody(route)
        for (const role of ["editor", "support", "viewer"] as const) {
          const answer = yield* send(route.method, path, { token: yield* tokenAs(club, role), body })
          assert.deepStrictEqual<unknown>(outcome(answer), [403, "forbidden"], `${role}: ${route.name}`)
        }
        const answer = yield* send(route.method, path, { token: student.token, body })
        assert.deepStrictEqual<unknown>(outcome(answer), [401, "unauthenticated"], route.name)
      }
    }))
})
