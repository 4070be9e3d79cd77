import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { foundClub, send } from "../../../harness/App.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { beginCheckout, FakeStripe, pass, stripeLayerOn, subscribedClub } from "./World.ts"

layer(stripeLayerOn(PostgresLayer, { PUBLIC_URL: "https://turma.example" }))(
  "Where there is no dashboard",
  (it) => {
    it.effect("Stripe leads back to a page that is there, from the checkout and from the portal", () =>
      Effect.gen(function*() {
        const { asked } = yield* FakeStripe
        yield* pass(60)
        yield* beginCheckout(yield* foundClub(), "growth")
        const checkout = asked.at(-1)?.form ?? {}
        const { path, token } = yield* subscribedClub()
        yield* send("POST", `${path}/billing/portal`, { token })
        const back = [checkout["success_url"], checkout["cancel_url"], asked.at(-1)?.form["return_url"]]
        for (const url of back) {
          const { origin, pathname, search } = new URL(url ?? "")
          assert.strictEqual(origin, "https://turma.example")
          const { headers, status } = yield* send("GET", pathname + search, { headers: { accept: "text/html" } })
          assert.deepStrictEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"])
        }
      }))
  }
)
