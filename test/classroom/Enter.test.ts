import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { foundClub, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { Mailbox } from "../harness/Mailbox.ts"
import { registered, signedIn, studentsOf } from "../membership/accounts/People.ts"
import { addressOf, ClassroomAppLayer, lookAll, open, visit } from "./Visit.ts"

/** A club, and a student with a password. */
const student = Effect.gen(function*() {
  const club = yield* foundClub()
  return { club, ...(yield* signedIn(studentsOf(club))) }
})

const enterAddress = async (page: Page, email: string) => {
  await page.getByLabel("E-mail").fill(email)
  await page.getByRole("button", { name: "Continue" }).click()
}

const enterPassword = async (page: Page) => {
  await page.getByRole("button", { name: "Use my password" }).click()
  await page.getByLabel("Password").fill("correct horse")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

const focused = (page: Page) => page.evaluate("document.activeElement.name || document.activeElement.textContent")

describe.skipIf(withoutBrowser)("In a club's classroom", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("a student", (it) => {
    it.effect("enters by e-mail and mailed code, at the address that they wanted", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { email } = yield* registered(studentsOf(club))
        const page = yield* visit(club, ["lives"], { expected: [/401/] })
        yield* Effect.promise(async () => {
          await enterAddress(page, email)
          assert.strictEqual(await focused(page), "Get a code by mail")
          await page.keyboard.press("Enter")
          await page.getByText("If this address is enrolled here, a mail is on its way.").waitFor()
          assert.strictEqual(await focused(page), "code")
        })
        const code = yield* (yield* Mailbox).secret(email)
        yield* Effect.promise(async () => {
          await page.getByLabel("Code from the mail").fill(code)
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: "Lives", exact: true }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("arrives exactly where they wanted: by code, password, mailed link and new password", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { email } = yield* registered(studentsOf(club))
        const wanted = addressOf(club, "support", "new?q=d%C3%B3/r%C3%A9%20mi#two")
        const arrived = (page: Page) =>
          Effect.promise(async () => {
            await page.getByLabel("What is it about?").waitFor()
            const { hash, pathname, searchParams } = new URL(page.url())
            assert.deepStrictEqual(
              [pathname, searchParams.get("q"), hash],
              [addressOf(club, "support", "new"), "dó/ré mi", "#two"]
            )
          })
        const come = Effect.gen(function*() {
          const page = yield* visit(club, ["sign-up"], { expected: [/401/] })
          yield* open(page, wanted)
          return page
        })
        const mailedLink = Effect.gen(function*() {
          const mail = (yield* (yield* Mailbox).to(email)).at(-1)?.text ?? ""
          const { pathname, search } = new URL(/https?:\/\/\S+/.exec(mail)?.[0] ?? "")
          return pathname + search
        })

        const byPassword = yield* come
        yield* Effect.promise(async () => {
          await enterAddress(byPassword, email)
          await enterPassword(byPassword)
        })
        yield* arrived(byPassword)

        const byCode = yield* come
        yield* Effect.promise(async () => {
          await enterAddress(byCode, email)
          await byCode.getByRole("button", { name: "Get a code by mail" }).click()
          await byCode.getByLabel("Code from the mail").waitFor()
        })
        const code = yield* (yield* Mailbox).secret(email)
        const link = yield* mailedLink
        yield* Effect.promise(async () => {
          await byCode.getByLabel("Code from the mail").fill(code)
          await byCode.keyboard.press("Enter")
        })
        yield* arrived(byCode)

        // The link was used with its code. Its page mails a new one.
        const byLink = yield* come
        yield* open(byLink, link)
        yield* Effect.promise(async () => {
          await byLink.getByRole("button").first().click()
          await byLink.getByRole("heading", { name: "Look into your mailbox" }).waitFor()
        })
        yield* open(byLink, yield* mailedLink)
        yield* Effect.promise(() => byLink.getByRole("button").first().click())
        yield* arrived(byLink)

        const byReset = yield* come
        yield* Effect.promise(async () => {
          await byReset.locator("a[href*='/forgot']").click()
          await byReset.getByLabel("E-mail").fill(email)
          await byReset.getByRole("button").first().click()
          await byReset.getByRole("heading", { name: "Look into your mailbox" }).waitFor()
        })
        yield* open(byReset, yield* mailedLink)
        yield* Effect.promise(async () => {
          await byReset.locator("[type=password]").fill("a better one")
          await byReset.getByRole("button").first().click()
        })
        yield* arrived(byReset)
      }).pipe(Effect.scoped))

    it.effect("enters by e-mail and password, and sees that a password is wrong", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { email } = yield* registered(studentsOf(club))
        const page = yield* visit(club, [], { expected: [/401/] })
        yield* Effect.promise(async () => {
          await enterAddress(page, email)
          await page.getByRole("button", { name: "Use my password" }).click()
          assert.strictEqual(await focused(page), "password")
          await page.getByLabel("Password").fill("a wrong battery")
          await page.keyboard.press("Enter")
          await page.locator(".toast.bad").waitFor()
          await page.getByLabel("Password").fill("correct horse")
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: /^Hello/ }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("signs up or asks for a new password with the address that they wanted", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const page = yield* visit(club, ["lives"], { expected: [/401/] })
        yield* Effect.promise(async () => {
          const signUp = page.locator("a[href*='/sign-up']")
          assert.strictEqual(await signUp.getAttribute("href"), addressOf(club, "sign-up?next=lives"))
          await page.locator("a[href*='/forgot']").click()
          // The links of that page keep it too.
          await page.locator("a[href*='next=lives']").first().waitFor()
          assert.isTrue(page.url().endsWith("/forgot?next=lives"), page.url())
        })
        yield* open(page, addressOf(club))
        yield* Effect.promise(() => page.locator("a[href$='/sign-up']").waitFor())
      }).pipe(Effect.scoped))

    it.effect("whose session ends elsewhere signs in over the view, and finds their text there", () =>
      Effect.gen(function*() {
        const { club, email, token } = yield* student
        const page = yield* visit(club, ["support", "new"], { token, expected: [/401/] })
        yield* Effect.promise(async () => {
          await page.getByLabel("What is it about?").fill("O vídeo não abre")
          await page.getByLabel("Your question").fill("Fica parado no começo.")
        })
        yield* send("DELETE", "/v1/auth/session", { token })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Send" }).click()
          const dialog = page.getByRole("dialog", { name: "Your session has ended" })
          await dialog.getByText(email).waitFor()
          // The dialog says it, and no sentence for programs does.
          assert.strictEqual(await page.locator(".toast").count(), 0)
          await enterPassword(page)
          await dialog.waitFor({ state: "detached" })
          assert.strictEqual(await page.getByLabel("Your question").inputValue(), "Fica parado no começo.")
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByRole("log").getByText("Fica parado no começo.").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("of two clubs is in both at once in one browser, and leaves one alone", () =>
      Effect.gen(function*() {
        const [first, second] = [yield* student, yield* student]
        const page = yield* visit(first.club, ["account"], { token: first.token, expected: [/401/] })
        yield* Effect.promise(() => page.getByText(first.email).waitFor())
        yield* open(page, addressOf(second.club, "account"))
        yield* Effect.promise(async () => {
          await enterAddress(page, second.email)
          await enterPassword(page)
          // The form for the password has the address too.
          await page.getByRole("button", { name: "Sign out" }).waitFor()
        })
        yield* open(page, addressOf(first.club, "account"))
        yield* Effect.promise(async () => {
          await page.getByText(first.email).waitFor()
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.getByLabel("E-mail").waitFor()
        })
        yield* open(page, addressOf(second.club, "account"))
        yield* Effect.promise(() => page.getByText(second.email).waitFor())
      }).pipe(Effect.scoped))

    it.effect("opens their menu, which Escape and a click beside close; Escape gives the focus back", () =>
      Effect.gen(function*() {
        const { club, email, token } = yield* student
        const page = yield* visit(club, [], { token })
        yield* Effect.promise(async () => {
          const opener = page.getByRole("button", { name: /account, language and theme/ })
          const own = page.getByText(email)
          await opener.click()
          await own.waitFor()
          await page.keyboard.press("Escape")
          await own.waitFor({ state: "detached" })
          assert.match(String(await focused(page)), /account, language and theme/)
          await page.keyboard.press("Enter")
          await own.waitFor()
          await page.getByRole("heading", { name: /^Hello/ }).click()
          await own.waitFor({ state: "detached" })
          await opener.click()
          await page.getByLabel("Language").selectOption("pt-BR")
          await page.getByRole("link", { name: "Sua conta" }).click()
          await page.getByRole("heading", { name: "Sua conta", exact: true }).waitFor()
          await own.nth(1).waitFor({ state: "detached" })
        })
      }).pipe(Effect.scoped))

    it.effect("opens further areas on a phone, and is led to one of them", () =>
      Effect.gen(function*() {
        const { club, token } = yield* student
        const page = yield* visit(club, [], { token, width: 390 })
        yield* Effect.promise(async () => {
          const more = page.getByRole("button", { name: "More" })
          await more.click()
          await page.getByRole("link", { name: "Points" }).waitFor()
          await page.keyboard.press("Escape")
          await page.getByRole("link", { name: "Points" }).waitFor({ state: "hidden" })
          assert.strictEqual(await focused(page), "More")
          await more.click()
        })
        yield* lookAll(page, "frame-more")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Points" }).click()
          await page.getByRole("heading", { name: "Points", level: 1 }).waitFor()
          await page.getByRole("link", { name: "Points" }).waitFor({ state: "hidden" })
        })
      }).pipe(Effect.scoped))

    it.effect("reads on without a connection, and is told so", () =>
      Effect.gen(function*() {
        const { club, token } = yield* student
        const page = yield* visit(club, ["lives"], { token, width: 390, expected: [/ERR_INTERNET_DISCONNECTED/] })
        yield* Effect.promise(async () => {
          await page.context().setOffline(true)
          await page.getByText("You are offline.").waitFor()
          await page.getByText("No lives are planned").waitFor()
        })
        yield* lookAll(page, "offline")
        yield* Effect.promise(async () => {
          await page.context().setOffline(false)
          await page.getByText("You are offline.").waitFor({ state: "detached" })
        })
      }).pipe(Effect.scoped))

    it.effect("sees the way in on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "pt-BR" })
        const page = yield* visit(club, [], { width: 390, expected: [/401/] })
        yield* Effect.promise(() => page.getByLabel("E-mail").waitFor())
        yield* lookAll(page, "enter")
        yield* Effect.promise(async () => {
          await page.getByLabel("E-mail").fill("bia.lima@exemplo.com.br")
          await page.getByRole("button", { name: "Continuar" }).click()
          await page.getByRole("button", { name: "Receber um código por e-mail" }).waitFor()
        })
        yield* lookAll(page, "enter-choose")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Receber um código por e-mail" }).click()
          await page.getByLabel("Código do e-mail").waitFor()
        })
        yield* lookAll(page, "enter-code")
      }).pipe(Effect.scoped))
  })
})
