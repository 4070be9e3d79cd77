import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { appLayer, at, enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { withoutBrowser } from "../../harness/Browser.ts"
import { foreignHosts, foreignPort } from "../../harness/ForeignPage.ts"
import { origin } from "../../harness/Visiting.ts"
import { visit } from "../Visit.ts"

// Attacks by a foreign page, in a browser with a student's session in a classroom.

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
  const own = { "turma-classroom": club }
  const base = target + "/classroom/api/v1/clubs/" + club + "/classroom/"
  const all = { credentials: "include" }
  const write = { ...all, method: "POST", body: JSON.stringify({ subject: "Forged", body: "Forged" }) }
  const json = { "content-type": "application/json" }
  const load = (kind, source) => new Promise((done) => {
    const element = document.createElement(kind)
    element.onload = () => done("loaded")
    element.onerror = () => done("refused")
    element.src = source
    document.body.append(element)
  })
  return [
    await outcome(() => fetch(base + "me", all)),
    await outcome(() => fetch(base + "me", { ...all, headers: own })),
    await outcome(() => fetch(base + "me", { ...all, mode: "no-cors" })),
    await outcome(() => fetch(base + "support/conversations", { ...write, mode: "no-cors" })),
    await outcome(() => fetch(base + "support/conversations", { ...write, headers: json })),
    await outcome(() => fetch(base + "support/conversations", { ...write, headers: { ...json, ...own } })),
    await outcome(() => fetch(target + "/classroom/session", { ...all, method: "DELETE", headers: own })),
    await load("script", base + "me"),
    await load("img", base + "me"),
    String(navigator.sendBeacon(base + "support/conversations", new Blob([write.body], { type: "text/plain" })))
  ]
}`

/** The address that a frame shows in the end. */
const frame = (source: string) =>
  `new Promise((resolve) => {
  const frame = document.createElement("iframe")
  frame.onload = resolve
  frame.src = ${JSON.stringify(source)}
  document.body.append(frame)
})`

describe.skipIf(withoutBrowser)("A page that is not the classroom's", () => {
  layer(AppLayer, { excludeTestServices: true })("in the browser of a student", (it) => {
    it.effect.each(foreignHosts)(
      "at %s reads nothing, changes nothing and frames nothing",
      (host) =>
        Effect.gen(function*() {
          const club = yield* foundClub()
          const { token } = yield* enrolledStudent(club)
          const port = yield* foreignPort
          const target = (yield* origin).replace("127.0.0.1", "localhost")
          const page = yield* visit(club, [], { expected: [/./] })
          const name = `turma-${club.organization_id.slice(0, 8)}`
          yield* Effect.promise(async () => {
            await page.context().addCookies([{ name, value: token, url: target, httpOnly: true, sameSite: "Strict" }])
            await page.goto(`${target}/classroom/${club.organization_id}`)
            await page.getByRole("heading", { name: /^Hello/ }).waitFor()
            assert.strictEqual(await page.evaluate("document.cookie"), "")
            await page.goto(`http://${host}:${port}/`)
          })
          const values = JSON.stringify({ target, club: club.organization_id })
          const outcomes = yield* Effect.promise(() => page.evaluate<ReadonlyArray<string>>(`(${attack})(${values})`))
          for (const outcome of outcomes) assert.include(["refused", "opaque", "403", "401", "true", "false"], outcome)
          const asked = yield* send("GET", `${club.path}/classroom/support/conversations`, { token })
          assert.deepStrictEqual(at(asked.json, "data"), [])
          assert.strictEqual((yield* send("GET", "/v1/auth/session", { token })).status, 200)
          for (const path of ["", "/sign-in", "/unsubscribe"]) {
            const shown = yield* Effect.promise(async () => {
              const count = page.frames().length
              await page.evaluate(frame(`${target}/classroom/${club.organization_id}${path}`))
              const framed = page.frames()[count]
              await framed?.waitForURL(/^chrome-error:/)
              return framed?.url()
            })
            assert.match(shown ?? "", /^chrome-error:/, path)
          }
        }).pipe(Effect.scoped)
    )
  })
})
