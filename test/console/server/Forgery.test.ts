import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { appLayer, at, foundClub, listAt, send } from "../../harness/App.ts"
import { withoutBrowser } from "../../harness/Browser.ts"
import { foreignHosts, foreignPort } from "../../harness/ForeignPage.ts"
import { origin, visit } from "../Visit.ts"

// Attacks by a foreign page, in a browser with a session in the console.

const AppLayer = appLayer({ PUBLIC_URL: "http://localhost", ALLOWED_ORIGINS: "http://localhost:*" })
  .pipe(Layer.provide(Logger.layer([])))

/** Tries every request that a page can send, and answers what the page could read. */
const attack = `async ({ target, club }) => {
  const outcome = async (work) => {
    try {
      const response = await work()
      return response.type === "opaque" ? "opaque" : String(response.status)
    } catch {
      return "refused"
    }
  }
  const json = { "content-type": "application/json" }
  const own = { "turma-console": "1" }
  const read = target + "/console/api/v1/me"
  const write = target + "/console/api/v1/clubs/" + club + "/deliveries"
  const body = JSON.stringify({ name: "Forged" })
  const all = { credentials: "include" }
  return [
    await outcome(() => fetch(read, all)),
    await outcome(() => fetch(read, { ...all, headers: own })),
    await outcome(() => fetch(read, { ...all, mode: "no-cors" })),
    await outcome(() => fetch(write, { ...all, method: "POST", mode: "no-cors", body })),
    await outcome(() => fetch(write, { ...all, method: "POST", headers: json, body })),
    await outcome(() => fetch(write, { ...all, method: "POST", headers: { ...json, ...own }, body })),
    await outcome(() => fetch(target + "/console/session", { ...all, method: "DELETE" })),
    await outcome(() => fetch(target + "/console/session", { ...all, method: "DELETE", headers: own })),
    String(navigator.sendBeacon(write, new Blob([body], { type: "text/plain" })))
  ]
}`

const submit = `({ target, club }) => {
  const form = document.createElement("form")
  form.method = "post"
  form.enctype = "text/plain"
  form.action = target + "/console/api/v1/clubs/" + club + "/deliveries"
  const field = document.createElement("input")
  field.name = '{"name":"Forged","x":"'
  field.value = '"}'
  form.append(field)
  document.body.append(form)
  form.submit()
}`

describe.skipIf(withoutBrowser)("A page that is not the console's", () => {
  layer(AppLayer, { excludeTestServices: true })("in the browser of a member", (it) => {
    it.effect.each(foreignHosts)("at %s reads nothing and changes nothing", (host) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const port = yield* foreignPort
        const target = (yield* origin).replace("127.0.0.1", "localhost")
        const page = yield* visit("/console", { expected: [/./] })
        yield* Effect.promise(async () => {
          await page.context().addCookies([{
            name: "turma-session",
            value: club.token,
            url: target,
            httpOnly: true,
            sameSite: "Strict"
          }])
          await page.goto(`${target}/console`)
          await page.getByRole("heading", { name: "Overview" }).waitFor()
          await page.goto(`http://${host}:${port}/`)
        })
        const values = JSON.stringify({ target, club: club.organization_id })
        const outcomes = yield* Effect.promise(() => page.evaluate(`(${attack})(${values})`))
        for (const outcome of Array.isArray(outcomes) ? outcomes : [outcomes]) {
          assert.include(["refused", "opaque", "403", "401", "true", "false"], outcome)
        }
        const answered = yield* Effect.promise(async () => {
          const response = page.waitForResponse(/deliveries/)
          await page.evaluate(`(${submit})(${values})`)
          return (await response).status()
        })
        assert.strictEqual(answered, 403)
        const list = yield* send("GET", `${club.path}/deliveries`, { token: club.token })
        assert.deepStrictEqual(listAt(list.json, "data").map((one) => at(one, "name")), [])
        assert.strictEqual((yield* send("GET", "/v1/me", { token: club.token })).status, 200)
      }).pipe(Effect.scoped))

    it.effect("frames the console nowhere", () =>
      Effect.gen(function*() {
        const port = yield* foreignPort
        const target = yield* origin
        const page = yield* visit("/console", { expected: [/frame|401/i] })
        yield* Effect.promise(() => page.goto(`http://localhost:${port}/`))
        const shown = yield* Effect.promise(async () => {
          await page.evaluate(`new Promise((resolve) => {
            const frame = document.createElement("iframe")
            frame.onload = resolve
            frame.src = ${JSON.stringify(`${target}/console`)}
            document.body.append(frame)
          })`)
          // The frame's address changes to the error page a moment after the load.
          const frame = page.frames()[1]
          await frame?.waitForURL(/^chrome-error:/)
          return frame?.url()
        })
        assert.match(shown ?? "", /^chrome-error:/)
      }).pipe(Effect.scoped))

    it.effect("makes no script of text, and the console's own scripts see no cookie", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const page = yield* visit("/console", { token: club.token, expected: [/Trusted|TrustedHTML|script|policy/i] })
        const seen = yield* Effect.promise(() =>
          page.evaluate(`(() => {
            const failed = (work) => { try { work(); return false } catch { return true } }
            return {
              cookie: document.cookie,
              storage: JSON.stringify({ ...localStorage, ...sessionStorage }),
              html: failed(() => { document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=alert(1)>") }),
              inner: failed(() => { document.createElement("div").innerHTML = "<b>x</b>" }),
              policy: failed(() => { trustedTypes.createPolicy("x", { createHTML: (text) => text }) })
            }
          })()`)
        )
        assert.strictEqual(at(seen, "cookie"), "")
        assert.notInclude(String(at(seen, "storage")), club.token)
        assert.deepStrictEqual(["html", "inner", "policy"].map((name) => at(seen, name)), [
          true,
          true,
          true
        ])
      }).pipe(Effect.scoped))
  })
})
