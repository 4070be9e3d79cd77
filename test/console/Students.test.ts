import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { at, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { hostile, names, openSchool, StudentsLayer } from "./StudentsWorld.ts"
import { follow, look, lookAll, visit } from "./Visit.ts"

// Takes long: one club has 100,000 students.

const click = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor()
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
/** A field of the open dialog. */
const field = (page: Page, label: string) => page.getByRole("dialog").getByLabel(label, { exact: true })
const row = (page: Page, name: string) => page.getByRole("link", { name, exact: true })

/**
 * Pixels between the last cell of a row and the padding of the row. A row that stands for many others must not bring
 * columns that a phone leaves out.
 */
const besideCells = `(() => {
  const row = document.querySelector("tr[data-row]")
  const cell = [...row.cells].findLast(({ offsetWidth }) => offsetWidth > 0)
  const end = row.getBoundingClientRect().right - parseFloat(getComputedStyle(row).paddingInlineEnd)
  return end - cell.getBoundingClientRect().right
})()`

describe.skipIf(withoutBrowser)("Students in the console", () => {
  layer(StudentsLayer, { excludeTestServices: true })("for those who look after them", (it) => {
    it.effect("look well on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const { bia, page: students, token } = yield* openSchool
        const page = yield* visit(students, { width: 390, token })
        yield* Effect.promise(() => page.getByRole("link", { name: /^Bia Lima/ }).waitFor())
        yield* lookAll(page, "students")
        yield* Effect.promise(async () => {
          await click(page, "Add a student")
          await page.getByLabel("Violão em casa").check()
          await field(page, "Cohort").waitFor()
        })
        yield* lookAll(page, "students-add")
        for (const tab of ["", "profile", "points", "purchases", "progress", "webhooks"]) {
          yield* follow(page, [students, bia.id, ...(tab === "" ? [] : [tab])].join("/"))
          yield* lookAll(page, `student-${tab === "" ? "access" : tab}`)
        }
        yield* follow(page, `${students}/${bia.id}`)
        yield* Effect.promise(() => click(page, "Extend: Harmonia"))
        yield* lookAll(page, "student-extend")
        yield* follow(page, `${students}/${bia.id}/profile`)
        yield* Effect.promise(() => click(page, "Remove the student"))
        yield* lookAll(page, "student-remove")
      }).pipe(Effect.scoped))

    it.effect("are found as one types, whatever their names, and nothing in a name is interpreted", () =>
      Effect.gen(function*() {
        const { page: students, token } = yield* openSchool
        const page = yield* visit(students, { token })
        yield* Effect.promise(async () => {
          await Promise.all(Object.values(names).map((name) => row(page, name).waitFor()))
          const search = page.getByRole("searchbox")
          await search.fill("zoe")
          await row(page, names.emoji).waitFor()
          await row(page, "Bia Lima").waitFor({ state: "detached" })
          assert.strictEqual(new URL(page.url()).searchParams.get("search"), "zoe")
          await page.reload()
          await row(page, names.emoji).waitFor()
          await search.fill("nobody at all")
          await heading(page, "No student matches")
          await search.fill("")
          await row(page, names.hostile).click()
          await heading(page, names.hostile)
          assert.strictEqual(await page.title(), `${hostile} · Turma`)
        })
      }).pipe(Effect.scoped))

    it.effect("are filtered by delivery and by access", () =>
      Effect.gen(function*() {
        const { page: students, token } = yield* openSchool
        const page = yield* visit(students, { token })
        yield* Effect.promise(async () => {
          await page.getByLabel("Delivery").selectOption({ label: "Violão em casa" })
          await row(page, names.arabic).waitFor({ state: "detached" })
          await row(page, "Bia Lima").waitFor()
          await page.getByLabel("Cohort").selectOption({ label: "Turma de abril" })
          await heading(page, "No student matches")
          await page.getByLabel("Delivery").selectOption("")
          await page.getByLabel("Access").selectOption("false")
          await row(page, names.arabic).waitFor()
          await row(page, "Bia Lima").waitFor({ state: "detached" })
        })
      }).pipe(Effect.scoped))

    it.effect("are added with what they get and an invitation, and an address that is taken is said", () =>
      Effect.gen(function*() {
        const { page: students, token } = yield* openSchool
        const page = yield* visit(students, { token, expected: [/409/] })
        yield* Effect.promise(async () => {
          await click(page, "Add a student")
          await page.getByLabel("Name", { exact: true }).fill("Nuno 🎸")
          await page.getByLabel("E-mail").fill("bia.lima@example.com")
          await page.getByLabel("Violão em casa").check()
          await field(page, "Cohort").selectOption({ label: "Turma de março" })
          await click(page, "Add the student")
          await said(page, "email must be one that no student of this club has")
          await page.getByLabel("E-mail").fill("nuno@example.com")
          await click(page, "Add the student")
          await heading(page, "Nuno 🎸")
          await said(page, "Has access to 1 delivery now.")
          await said(page, "cohort Turma de março")
        })
      }).pipe(Effect.scoped))

    it.effect("get, keep and lose access, and the history says who did what and why", () =>
      Effect.gen(function*() {
        const { bia, owner, page: students, token } = yield* openSchool
        const page = yield* visit(`${students}/${bia.id}`, { token })
        yield* Effect.promise(async () => {
          await said(page, "Has access to 2 deliveries now.")
          await said(page, hostile)
          await click(page, "Take away: Violão em casa")
          await said(page, "The student loses access at once.")
          await page.getByLabel("Why").fill("Pediu para sair")
          await click(page, "Take access away")
          await said(page, "Has access to 1 delivery now.")
          await said(page, "Pediu para sair")
          await page.locator("main").getByText(owner.name).first().waitFor()
          await click(page, "Give back: Violão em casa")
          await click(page, "Give access back")
          await said(page, "Has access to 2 deliveries now.")
          await click(page, "Shorten: Violão em casa")
          await said(page, "Now it has no end.")
          await page.getByLabel("New end").fill("2099-12-31")
          await said(page, /for a shorter time, until Dec 31, 2099/)
          await click(page, "Shorten access")
          await said(page, /ends Dec 31, 2099/)
          await click(page, "Extend: Violão em casa")
          await page.getByLabel("Without end").check()
          await click(page, "Extend access")
          await said(page, /^Since .*, without end$/)
          await click(page, "Move: Violão em casa")
          await field(page, "Cohort").selectOption({ label: "Turma de abril" })
          await click(page, "Move to another cohort")
          await said(page, "cohort Turma de abril")
        })
      }).pipe(Effect.scoped))

    it.effect("are corrected, given points, and removed with a receipt", () =>
      Effect.gen(function*() {
        const { bia, page: students, path, token } = yield* openSchool
        const page = yield* visit(`${students}/${bia.id}/profile`, { token })
        yield* Effect.promise(async () => {
          await page.getByLabel("Name", { exact: true }).fill("Bia Souza")
          await page.getByLabel("Tax document").fill("123.456.789-09")
          await click(page, "Save")
          await heading(page, "Bia Souza")
          await page.reload()
          assert.strictEqual(await page.getByLabel("Tax document").inputValue(), "123.456.789-09")
          await page.getByRole("link", { name: "Points" }).click()
          await click(page, "Give or take points")
          await field(page, "Points").fill("50")
          await page.getByLabel("Why").fill("Tocou na apresentação")
          await page.getByRole("dialog").getByRole("button", { name: "Give or take points" }).click()
          await said(page, /50 points in all/)
          await said(page, "Tocou na apresentação")
          await page.getByRole("link", { name: "Profile" }).click()
          await click(page, "Remove the student")
          const remove = page.getByRole("button", { name: "Remove for good" })
          assert.isTrue(await remove.isDisabled())
          await said(page, "2 accesses are revoked, and every session ends.")
          await page.getByLabel(/Type the address/).fill("bia.lima@example.com")
          await remove.click()
          await heading(page, "Removed student")
          await heading(page, "What was erased")
          await said(page, "Accesses taken away")
        })
        yield* look(page, "student-receipt")
        const { json } = yield* send("GET", `${path}/students/${bia.id}`, { token })
        assert.isTrue(at(json, "data", "anonymized"))
      }).pipe(Effect.scoped))

    it.effect("are read by a viewer, and changed by support, which neither imports nor removes", () =>
      Effect.gen(function*() {
        const { bia, page: students, ...club } = yield* openSchool
        const viewer = yield* visit(students, { token: yield* tokenAs(club, "viewer") })
        yield* Effect.promise(async () => {
          await row(viewer, "Bia Lima").waitFor()
          assert.strictEqual(await viewer.getByRole("button", { name: /Add a student|Export/ }).count(), 0)
        })
        for (const tab of ["", "profile", "points", "purchases", "progress"]) {
          yield* follow(viewer, [students, bia.id, ...(tab === "" ? [] : [tab])].join("/"))
          yield* Effect.promise(async () => {
            await heading(viewer, "Bia Lima")
            assert.strictEqual(await viewer.getByRole("alert").count(), 0)
            assert.strictEqual(await viewer.getByRole("button", { name: /Take away|Save|Give|Remove/ }).count(), 0)
          })
        }
        const support = yield* visit(`${students}/${bia.id}/profile`, { token: yield* tokenAs(club, "support") })
        yield* Effect.promise(async () => {
          await support.getByRole("button", { name: "Save" }).waitFor()
          assert.strictEqual(await support.getByRole("button", { name: "Remove the student" }).count(), 0)
          assert.strictEqual(await support.getByLabel("Tax document").count(), 0)
          assert.strictEqual(await support.getByRole("link", { name: "Webhooks" }).count(), 0)
        })
      }).pipe(Effect.scoped))

    it.effect("have every webhook about them on their page, which leads to the delivery", () =>
      Effect.gen(function*() {
        const { bia, page: students, token } = yield* openSchool
        const page = yield* visit(`${students}/${bia.id}/webhooks`, { token })
        yield* Effect.promise(async () => {
          await said(page, "Delivered")
          // The link leads to the event until its endpoint is known.
          const link = page.locator("a[href*='/deliveries/']", { hasText: "student.created" })
          await link.waitFor()
          assert.match(String(await link.getAttribute("href")), /\/webhooks\/[0-9a-f-]{36}\/deliveries\/[0-9a-f-]{36}$/)
        })
      }).pipe(Effect.scoped))

    it.effect("are exported as a file that spreadsheets read", () =>
      Effect.gen(function*() {
        const { page: students, token } = yield* openSchool
        const page = yield* visit(students, { token })
        const text = yield* Effect.promise(async () => {
          const [download] = await Promise.all([page.waitForEvent("download"), click(page, "Export CSV")])
          const chunks: Array<Buffer> = []
          for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
          return Buffer.concat(chunks).toString("utf8")
        })
        assert.isTrue(text.startsWith("\ufeffid,name,email"))
        assert.include(text, names.arabic)
      }).pipe(Effect.scoped))

    it.effect("are shown in Portuguese too, with dates as one writes them there", () =>
      Effect.gen(function*() {
        const { bia, page: students, token } = yield* openSchool
        const page = yield* visit(students, { token, locale: "pt-BR" })
        yield* Effect.promise(async () => {
          await heading(page, "Alunos")
          await page.getByLabel("Entrega").selectOption({ label: "Violão em casa" })
          await row(page, "Bia Lima").click()
          await said(page, "Tem acesso a 2 entregas agora.")
          await click(page, "Retirar: Violão em casa")
          await said(page, "O aluno perde o acesso na hora.")
        })
        yield* follow(page, `${students}/${bia.id}/profile`)
        yield* Effect.promise(() => said(page, "Remover o aluno"))
      }).pipe(Effect.scoped))

    it.effect("stay quick to scroll and search where there are 100,000 of them", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { id, page: students, path, token } = yield* openSchool
        yield* sql`
          insert into students (club_id, id, email, name, created_at)
          select ${id}::uuid, ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n || '@many.example',
            'Person ' || n, '2026-01-01'
          from generate_series(1, 100000) n`
        const page = yield* visit(students, { token })
        yield* Effect.promise(() => row(page, "Bia Lima").waitFor())
        for (const step of [1, 2, 3, 4, 5]) {
          yield* Effect.promise(async () => {
            await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            await row(page, `Person ${100_001 - 100 * step}`).waitFor()
          })
        }
        yield* Effect.promise(async () => {
          assert.isBelow(await page.locator("tr[data-row]").count(), 100)
          await page.setViewportSize({ width: 390, height: 844 })
          assert.isBelow(Number(await page.evaluate(besideCells)), 2)
          await page.setViewportSize({ width: 1280, height: 800 })
          await page.evaluate("scrollTo(0, 0)")
          await row(page, "Bia Lima").waitFor()
          await page.getByRole("searchbox").fill("person 4242")
          await row(page, "Person 4242").waitFor()
        })
        assert.lengthOf(listAt((yield* send("GET", `${path}/students?limit=100`, { token })).json, "data"), 100)
      }).pipe(Effect.scoped))
  })
})
