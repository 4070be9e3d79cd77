import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { ImportQueue } from "../../src/membership/students/import/ImportQueue.ts"
import { at, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { hostile, names, openSchool, StudentsLayer } from "./StudentsWorld.ts"
import { lookAll, open, visit } from "./Visit.ts"

const click = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const said = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).first().waitFor()

/** Works until no chunk is due. */
const work = Effect.flatMap(ImportQueue, ({ tick }) => Effect.repeat(tick, { while: (chunks) => chunks > 0 }))

const list = [
  "name,email,delivery",
  `${names.arabic},maryam@example.com,Violão em casa`,
  `"${hostile.replaceAll("\"", "\"\"")}",hostile@example.com,`,
  "No address,,",
  "Caio,caio@example.com,No such delivery"
].join("\n")

/** Enters the list and asks for its preview. */
const preview = Effect.fnUntraced(function*(page: Page) {
  yield* Effect.promise(async () => {
    await page.getByLabel("or paste the rows").fill(list)
    await click(page, "Check the rows")
    await page.getByRole("heading", { name: "Preview" }).waitFor()
  })
  yield* work
  yield* Effect.promise(() => said(page, "2 students would be new"))
})

describe.skipIf(withoutBrowser)("An import in the console", () => {
  layer(StudentsLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("says what would happen, then imports, and keeps the errors by a link, in every look", () =>
      Effect.gen(function*() {
        const { page: students, path, token } = yield* openSchool
        const page = yield* visit(`${students}/import`, { token })
        yield* preview(page)
        yield* Effect.promise(async () => {
          await said(page, "1 access would be given")
          await said(page, "2 rows with errors")
          await page.getByRole("cell", { name: "e-mail", exact: true }).waitFor()
        })
        yield* lookAll(page, "import")
        const before = yield* send("GET", `${path}/students?search=maryam`, { token })
        assert.lengthOf(listAt(before.json, "data"), 0)
        yield* Effect.promise(async () => {
          await click(page, "Import 2 rows")
          await page.waitForURL(/students\/imports\//)
          await said(page, "2 of 4 rows")
        })
        yield* lookAll(page, "import-running")
        yield* work
        yield* Effect.promise(() => said(page, "2 new students"))
        yield* lookAll(page, "import-done")
        yield* open(page, new URL(page.url()).pathname)
        yield* Effect.promise(async () => {
          // A phone leaves out columns.
          await page.setViewportSize({ width: 1280, height: 800 })
          await said(page, "1 access given")
          await page.getByRole("cell", { name: "delivery", exact: true }).waitFor()
          await page.getByRole("link", { name: "Students" }).first().click()
          await page.getByRole("link", { name: names.arabic }).first().waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("reads a file as spreadsheets write it", () =>
      Effect.gen(function*() {
        const { page: students, path, token } = yield* openSchool
        const page = yield* visit(`${students}/import`, { token })
        const rows = "sep=;\r\nnome;sobrenome;email;telefone\r\nJoão;Conceição;joao@example.com;1\r\n"
        const buffer = Buffer.from(rows, "latin1")
        yield* Effect.promise(async () => {
          await page.getByLabel("CSV file").setInputFiles({ name: "alunos.csv", mimeType: "text/csv", buffer })
          await click(page, "Check the rows")
          await page.getByRole("heading", { name: "Preview" }).waitFor()
        })
        yield* work
        yield* Effect.promise(async () => {
          await said(page, "1 student would be new")
          await said(page, "One column is not known and was ignored: telefone")
          await click(page, "Import 1 row")
          await page.waitForURL(/students\/imports\//)
        })
        yield* work
        const found = yield* send("GET", `${path}/students?search=joão`, { token })
        assert.deepStrictEqual(listAt(found.json, "data").map((one) => at(one, "name")), ["João Conceição"])
      }).pipe(Effect.scoped))

    it.effect("sends the rows that are pasted after a file was chosen, instead of the file", () =>
      Effect.gen(function*() {
        const { page: students, token } = yield* openSchool
        const page = yield* visit(`${students}/import`, { token })
        const buffer = Buffer.from("name,email\nAna,ana@example.com\n")
        yield* Effect.promise(async () => {
          await page.getByLabel("CSV file").setInputFiles({ name: "students.csv", mimeType: "text/csv", buffer })
          await page.locator("form button:not([disabled])").waitFor()
          await page.getByLabel("or paste the rows").fill("name,email\nA,a@example.com\nB,b@example.com")
          assert.strictEqual(await page.getByLabel("CSV file").inputValue(), "")
          await click(page, "Check the rows")
          await page.getByRole("heading", { name: "Preview" }).waitFor()
        })
        yield* work
        yield* Effect.promise(() => said(page, "2 students would be new"))
      }).pipe(Effect.scoped))

    it.effect("imports what was checked: what is entered while the check is sent wants another one", () =>
      Effect.gen(function*() {
        const { page: students, token } = yield* openSchool
        const page = yield* visit(`${students}/import`, { token })
        yield* Effect.promise(async () => {
          const rows = page.getByLabel("or paste the rows")
          await page.route(/dry_run=true/, async (route) => {
            await rows.fill("name,email\nOther,other@example.com")
            await route.continue()
          })
          const answered = page.waitForResponse(/dry_run=true/)
          await rows.fill(list)
          await click(page, "Check the rows")
          await (await answered).finished()
          await page.locator("form button[aria-busy=false]").waitFor()
          assert.strictEqual(await page.getByRole("heading", { name: "Preview" }).count(), 0)
          await page.unroute(/dry_run=true/)
          await click(page, "Check the rows")
          await page.getByRole("heading", { name: "Preview" }).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("says in the API's words what is no list, and is refused to support", () =>
      Effect.gen(function*() {
        const { page: students, ...club } = yield* openSchool
        const page = yield* visit(`${students}/import`, { token: club.token, expected: [/422/] })
        yield* Effect.promise(async () => {
          await page.getByLabel("or paste the rows").fill("neither,one\n1,2")
          await click(page, "Check the rows")
          await page.locator(".toast.bad").waitFor()
        })
        const support = yield* visit(`${students}/import`, {
          token: yield* tokenAs(club, "support"),
          expected: [/403/]
        })
        yield* Effect.promise(() => said(support, "Your role in this club does not allow you to see this"))
      }).pipe(Effect.scoped))
  })
})
