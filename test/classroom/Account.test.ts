import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { enrolledStudent, foundClub } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { Mailbox } from "../harness/Mailbox.ts"
import { currentSession, grantedBy, signedIn, signIn, studentsOf } from "../membership/accounts/People.ts"
import { becomes, ClassroomAppLayer, lookAll, visit } from "./Visit.ts"

describe.skipIf(withoutBrowser)("The classroom's account", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("of a student", (it) => {
    it.effect("takes another name, which the page shows at once", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { token } = yield* signedIn(studentsOf(club))
        const page = yield* visit(club, ["account"], { token })
        yield* Effect.promise(async () => {
          await page.getByLabel("Name").fill("Ana Maria Lima")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Saved", { exact: true }).waitFor()
          await page.getByRole("button", { name: "Ana Maria Lima: account, language and theme" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("takes another password, and a wrong one ends nothing", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { email, token } = yield* signedIn(studentsOf(club))
        const page = yield* visit(club, ["account"], { token, expected: [/401/] })
        yield* Effect.promise(async () => {
          await page.getByLabel("Current password").fill("a wrong battery")
          await page.getByLabel("New password").fill("another battery")
          await page.getByRole("button", { name: "Change the password" }).click()
          await page.locator(".toast.bad").waitFor()
          await page.getByLabel("Current password").fill("correct horse")
          await page.getByRole("button", { name: "Change the password" }).click()
          await page.getByText("The password is changed").waitFor()
        })
        assert.strictEqual((yield* signIn(studentsOf(club), email, "another battery")).status, 200)
      }).pipe(Effect.scoped))

    it.effect("without a password gets a link for a first one by mail", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { email, token } = yield* enrolledStudent(club)
        const page = yield* visit(club, ["account"], { token })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Mail me a link to set one" }).click()
          await page.getByText(`A link to set a password is on its way to ${email}`).waitFor()
        })
        assert.match(yield* (yield* Mailbox).secret(email), /./)
      }).pipe(Effect.scoped))

    it.effect("ends one session and all others, and stays signed in itself", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { email, token } = yield* signedIn(studentsOf(club))
        const others: Array<string> = []
        for (let number = 0; number < 3; number++) others.push(grantedBy(yield* signIn(studentsOf(club), email)))
        const page = yield* visit(club, ["account"], { token })
        yield* Effect.promise(async () => {
          const ends = page.getByRole("button", { name: /^End the session/ })
          await ends.first().click()
          assert.isTrue(await becomes(async () => await ends.count() === 2))
          await page.getByRole("button", { name: "End all others" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "End all others" }).click()
          assert.isTrue(await becomes(async () => await ends.count() === 0))
          await page.getByText("This one").waitFor()
        })
        const states: Array<number> = []
        for (const other of [...others, token]) states.push((yield* currentSession(other)).status)
        assert.deepStrictEqual(states, [401, 401, 401, 200])
      }).pipe(Effect.scoped))

    it.effect("asks for its removal after saying what happens, and gets a link by mail", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { email, token } = yield* enrolledStudent(club)
        const page = yield* visit(club, ["account"], { token })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Ask for the removal of my account" }).click()
          const dialog = page.getByRole("dialog", { name: "Remove your account?" })
          await dialog.getByText(`We mail ${email} a link.`).waitFor()
          await dialog.getByRole("button", { name: "Cancel" }).click()
        })
        assert.lengthOf(yield* (yield* Mailbox).to(email), 0)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Ask for the removal of my account" }).click()
          await page.getByRole("button", { name: "Send the request" }).click()
          await page.getByText("Open the mail that we have sent you").waitFor()
        })
        assert.lengthOf(yield* (yield* Mailbox).to(email), 1)
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "pt-BR" })
        const { email, token } = yield* signedIn(studentsOf(club))
        yield* signIn(studentsOf(club), email)
        const page = yield* visit(club, ["account"], { token, width: 390 })
        yield* Effect.promise(() => page.getByText("Este aparelho").waitFor())
        yield* lookAll(page, "account")
        yield* Effect.promise(() => page.getByRole("button", { name: /conta, idioma e tema/ }).click())
        yield* lookAll(page, "menu")
      }).pipe(Effect.scoped))
  })
})
