import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { frameOrigins } from "../../../src/learning/media/HostedProvider.ts"
import { appLayer, foundClub, outcome, send } from "../../harness/App.ts"
import { sessionCookie } from "./Own.ts"

const policyOf = (policy: string) =>
  new Map(policy.split("; ").map((rule) => {
    const [name = "", ...sources] = rule.split(" ")
    return [name, sources.join(" ")]
  }))

layer(appLayer())("the console's page", (it) => {
  it.effect("is the same for everybody at every address, and says nothing of anybody", () =>
    Effect.gen(function*() {
      const { organization_id, owner, path, token } = yield* foundClub()
      const page = yield* send("GET", "/console")
      const headers = { cookie: `${sessionCookie}=${token}`, "accept-language": "pt-BR" }
      for (
        const address of [
          `/console/${organization_id}`,
          "/console/",
          "/console/x/y?z=1",
          "/console/session",
          `/console${path}`
        ]
      ) {
        const other = yield* send("GET", address, { headers })
        assert.deepStrictEqual([other.status, other.text], [200, page.text], address)
      }
      for (const word of [owner.email, organization_id, token]) assert.notInclude(page.text, word)
    }))

  it.effect("has a policy that lets nothing in but our own files and players in frames, and no text become a script", () =>
    Effect.gen(function*() {
      const { headers } = yield* send("GET", "/console")
      const policy = policyOf(headers["content-security-policy"] ?? "")
      assert.strictEqual(policy.get("default-src"), "'none'")
      assert.strictEqual(policy.get("script-src"), "'self'")
      assert.strictEqual(policy.get("style-src"), "'self'")
      assert.strictEqual(policy.get("connect-src"), "'self'")
      assert.strictEqual(policy.get("base-uri"), "'none'")
      assert.strictEqual(policy.get("frame-ancestors"), "'none'")
      assert.strictEqual(policy.get("form-action"), "'self'")
      assert.strictEqual(policy.get("require-trusted-types-for"), "'script'")
      assert.strictEqual(policy.get("trusted-types"), "'none'")
      assert.strictEqual(policy.get("frame-src"), frameOrigins.join(" "))
      policy.delete("frame-src")
      assert.notMatch([...policy.values()].join(" "), /unsafe|\*|https?:/)
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      assert.strictEqual(headers["referrer-policy"], "no-referrer")
      assert.strictEqual(headers["cache-control"], "no-cache")
      assert.isDefined(headers["etag"])
    }))

  it.effect("has no script and no style in itself", () =>
    Effect.gen(function*() {
      const { text } = yield* send("GET", "/console")
      assert.notMatch(text, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i)
    }))

  it.effect("loads files that browsers keep for ever, and no other", () =>
    Effect.gen(function*() {
      const { text } = yield* send("GET", "/console")
      const addresses = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, address = ""]) =>
        address
      )
      assert.isAtLeast(addresses.length, 3)
      for (const address of addresses) {
        const { headers, status } = yield* send("GET", address)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers["cache-control"], "public, max-age=31536000, immutable")
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.strictEqual(headers["cross-origin-resource-policy"], "same-origin")
        const again = yield* send("GET", address, { headers: { "if-none-match": headers["etag"] ?? "" } })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
      }
      for (const name of ["manifest.json", "nothing.js", "..%2fmanifest.json", "%2e%2e%2f", "__proto__"]) {
        const answer = yield* send("GET", `/console/assets/${name}`)
        assert.deepStrictEqual(outcome(answer), [404, "not_found"], name)
      }
    }))

  it.effect("is under its budget: less than 150 KB compressed until something is shown", () =>
    Effect.gen(function*() {
      const { text } = yield* send("GET", "/console")
      const addresses = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, address = ""]) =>
        address
      )
      const sizes = yield* Effect.forEach(addresses, (address) =>
        Effect.map(
          send("GET", address, { headers: { "accept-encoding": "br" } }),
          ({ headers }) => Number(headers["content-length"])
        ))
      const whole = sizes.reduce((sum, size) => sum + size, 0)
      assert.isAbove(whole, 0)
      assert.isBelow(whole, 150_000)
    }))
})
