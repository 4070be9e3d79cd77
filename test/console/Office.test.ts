import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, foundClub, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { newAddress } from "../membership/accounts/People.ts"
import { ConsoleAppLayer, follow, lookAll, visit } from "./Visit.ts"

describe.skipIf(withoutBrowser)("The console's office", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("of a club", (it) => {
    it.effect("changes a member's role, removes one, and says plainly that a club keeps an owner", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* tokenAs(club, "editor")
        const members = yield* send("GET", `${club.path}/members`, { token: club.token })
        const editor = listAt(members.json, "data").find((one) => at(one, "role") === "editor")
        const name = String(at(editor, "name"))
        const page = yield* visit(`/console/${club.organization_id}/members`, {
          token: club.token,
          expected: [/409/]
        })
        yield* Effect.promise(async () => {
          await page.getByText("2 people work for this club.").waitFor()
          await page.getByRole("button", { name: `More for ${name}` }).last().click()
          await page.getByRole("button", { name: `Change role: ${name}` }).click()
          const changing = page.getByRole("dialog")
          await changing.getByLabel("Role").selectOption("support")
          await changing.getByRole("button", { name: "Change role" }).click()
          await page.getByText("The role is changed").waitFor()
          await page.getByRole("cell", { name: "Support", exact: true }).waitFor()
          await page.getByRole("button", { name: `More for ${club.owner.name}` }).first().click()
          await page.getByRole("button", { name: `Remove ${club.owner.name}` }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click()
          await page.getByRole("dialog").getByText("A club keeps at least one owner").waitFor()
          await page.keyboard.press("Escape")
        })
      }).pipe(Effect.scoped))

    it.effect("invites somebody, lists the invitation and withdraws it", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const email = yield* newAddress
        const page = yield* visit(`/console/${club.organization_id}/members`, { token: club.token })
        yield* Effect.promise(async () => {
          await page.getByText("No invitation is open").waitFor()
          await page.keyboard.press("n")
          const dialog = page.getByRole("dialog")
          await dialog.getByLabel("E-mail").fill(email)
          await dialog.getByLabel("Role").selectOption("viewer")
          await dialog.getByRole("button", { name: "Send the invitation" }).click()
          await page.getByRole("cell", { name: email, exact: true }).waitFor()
          await page.getByText("1 invitation is open").waitFor()
          await page.getByRole("button", { name: `More for ${email}` }).click()
          await page.getByRole("button", { name: `Withdraw the invitation of ${email}` }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click()
          await page.getByText("No invitation is open").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("makes a key whose token is shown once, gives it another, and revokes it", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const page = yield* visit(`/console/${club.organization_id}/keys`, { token: club.token })
        yield* Effect.promise(() => page.getByText("This club has no keys").waitFor())
        const token = yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Make a key" }).click()
          const making = page.getByRole("dialog")
          await making.getByLabel("Name").fill("Loja <b>negrito</b>")
          await making.getByLabel("Students", { exact: true }).selectOption("read")
          await making.getByLabel("Ends").fill("2099-12-31")
          await making.getByRole("button", { name: "Make the key" }).click()
          const shown = page.getByRole("dialog", { name: "The token, shown only once" })
          await shown.waitFor()
          await page.mouse.click(5, 5)
          await page.keyboard.press("Escape")
          await page.keyboard.press("Escape")
          const text = await shown.locator("pre").textContent()
          await shown.getByRole("button", { name: "Copy turma_…" }).waitFor()
          await shown.getByRole("button", { name: "I have kept it" }).click()
          return text ?? ""
        })
        assert.match(token, /^turma_\w{8}_\w+$/)
        const own = yield* send("GET", "/v1/key", { token })
        assert.deepStrictEqual([at(own.json, "data", "role"), at(own.json, "data", "scopes")], [
          "support",
          ["students:read"]
        ])
        const next = yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Loja <b>negrito</b>" }).click()
          await page.getByRole("heading", { name: "Loja <b>negrito</b>" }).waitFor()
          await page.getByRole("button", { name: "New token" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "New token" }).click()
          const shown = page.getByRole("dialog", { name: "The token, shown only once" })
          const text = await shown.locator("pre").textContent()
          await shown.getByRole("button", { name: "I have kept it" }).click()
          await page.getByText("The previous token still works for").waitFor()
          await page.getByText(/^(?:24:00:00|23:59:\d\d)$/).waitFor()
          return text ?? ""
        })
        assert.strictEqual((yield* send("GET", "/v1/key", { token: next })).status, 200)
        assert.strictEqual((yield* send("GET", "/v1/key", { token })).status, 200)
        yield* Effect.promise(async () => {
          await page.getByLabel("Name").fill("Loja")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("heading", { name: "Loja", exact: true }).waitFor()
          await page.getByRole("button", { name: "More actions" }).click()
          await page.getByRole("button", { name: "Revoke" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
          await page.locator(".badge", { hasText: "Revoked" }).waitFor()
        })
        assert.strictEqual((yield* send("GET", "/v1/key", { token: next })).status, 401)
      }).pipe(Effect.scoped))

    it.effect("takes over a key of whoever has left", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const admin = yield* tokenAs(club, "admin")
        yield* send("POST", `${club.path}/keys`, { token: admin, body: { name: "Sync", role: "viewer" } })
        const who = yield* send("GET", "/v1/me", { token: admin })
        yield* send("DELETE", `${club.path}/members/${String(at(who.json, "data", "id"))}`, { token: club.token })
        const page = yield* visit(`/console/${club.organization_id}/keys`, { token: club.token })
        yield* Effect.promise(async () => {
          await page.getByText("1 without a holder does not work").waitFor()
          await page.getByRole("link", { name: "Sync" }).click()
          await page.getByRole("button", { name: "Take over" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Take over" }).click()
          await page.locator(".badge", { hasText: "Active" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("changes the club, and says of a taken short name what the API says", () =>
      Effect.gen(function*() {
        const other = yield* foundClub()
        const taken = String(at((yield* send("GET", other.path, { token: other.token })).json, "data", "slug"))
        const club = yield* foundClub()
        const page = yield* visit(`/console/${club.organization_id}/settings`, {
          token: club.token,
          expected: [/409/]
        })
        yield* Effect.promise(async () => {
          await page.getByLabel("Short name").fill(taken)
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("slug must be one that no other club has").waitFor()
          await page.getByLabel("Short name").fill(`${taken}-x`)
          await page.getByLabel("Name", { exact: true }).fill("Viola")
          await page.getByLabel("Time zone").selectOption("America/Sao_Paulo")
          await page.getByLabel("Anyone may sign up").uncheck()
          await page.getByRole("button", { name: "Save" }).click()
          await page.locator(".side").getByText("Viola").waitFor()
        })
        const now = yield* send("GET", club.path, { token: club.token })
        assert.deepStrictEqual(
          ["name", "slug", "time_zone", "sign_up_open"].map((name) => at(now.json, "data", name)),
          ["Viola", `${taken}-x`, "America/Sao_Paulo", false]
        )
      }).pipe(Effect.scoped))

    it.effect("shows in the audit log who did what, by filters that stand in the address", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const viewer = yield* tokenAs(club, "viewer")
        yield* send("POST", `${club.path}/deliveries`, { token: viewer, body: { name: "No" } })
        yield* send("POST", `${club.path}/deliveries`, { token: club.token, body: { name: "Yes" } })
        const page = yield* visit(`/console/${club.organization_id}/settings/audit`, { token: club.token })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "deliveries.create" }).nth(1).waitFor()
          await page.getByLabel("Outcome").selectOption("refused")
          await page.getByRole("button", { name: "deliveries.create" }).nth(1).waitFor({ state: "detached" })
          await page.reload()
          await page.getByRole("button", { name: "deliveries.create" }).click()
          await page.getByRole("dialog", { name: "deliveries.create" }).getByText("\"refused\"").waitFor()
          await page.keyboard.press("Escape")
          await page.getByLabel("From").fill("2020-01-01")
          await page.getByLabel("Until").fill("2020-01-31")
          await page.getByLabel("Until").blur()
          await page.getByText("No changes in this time").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("is looked at on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* tokenAs(club, "editor")
        yield* tokenAs(club, "support")
        const email = yield* newAddress
        yield* send("POST", `${club.path}/members/invitations`, { token: club.token, body: { email, role: "admin" } })
        const made = yield* send("POST", `${club.path}/keys`, {
          token: club.token,
          body: { name: "Order system", role: "support", scopes: ["students:read", "webhooks:write"] }
        })
        yield* send("POST", `${club.path}/keys`, { token: club.token, body: { name: "Agent", role: "viewer" } })
        const page = yield* visit(`/console/${club.organization_id}`, { token: club.token, width: 390 })
        yield* lookAll(page, "overview")
        for (
          const [path, name] of [
            ["members", "members"],
            ["keys", "club-keys"],
            [`keys/${String(at(made.json, "data", "id"))}`, "club-key"],
            ["settings", "settings"],
            ["settings/audit", "audit"]
          ] as const
        ) {
          yield* follow(page, `/console/${club.organization_id}/${path}`)
          yield* lookAll(page, name)
        }
        yield* follow(page, `/console/${club.organization_id}/keys`)
        yield* Effect.promise(() => page.getByRole("button", { name: "Make a key" }).click())
        yield* lookAll(page, "new-key")
      }).pipe(Effect.scoped))
  })
})
