import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { foundClub, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeCourse, makeLesson, makeLiveLesson, makeMedia, makeModule, makeStudent } from "../harness/Makers.ts"
import { ConsoleAppLayer, follow, look, lookAll, visit } from "./Visit.ts"

const hostile = "<img src=x onerror=alert(1)> مرحبا 🎻"

/** A lesson with a comment that a student has reported. */
const reported = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundClub()
  const { lesson } = yield* makeLiveLesson(club)
  const [author, reader] = [yield* makeStudent(club), yield* makeStudent(club, { name: "Rita 🎻" })]
  const comment = yield* sql`
    insert into comments (club_id, id, lesson_id, author, student_id, body, created_at)
    values (${club.id}, gen_random_uuid(), ${lesson.id}, 'student', ${author.id}, 'Compre aqui', ${new Date()})
    returning id`
  yield* sql`
    insert into comment_reports (club_id, comment_id, student_id, reason, created_at)
    values (${club.id}, ${String(comment[0]?.["id"])}, ${reader.id}, ${hostile}, ${new Date()})`
  return { club, lesson, reader }
})

/** Fills the club's audit log with this many operations, after the removal of a student. */
const done = Effect.fnUntraced(function*(club: Effect.Success<ReturnType<typeof foundClub>>, count: number) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date()
  yield* sql`
    insert into audit_log (club_id, id, at, user_id, operation, targets, outcome)
    select ${club.id}::uuid,
      (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7000-8000-' || substr(md5(random()::text), 1, 12))::uuid,
      ${now}::timestamptz - n * interval '1 second', ${club.owner.id}::uuid,
      case when n = ${count}::int then 'students.remove' else 'students.update' end, '{}', 'done'
    from (
      select n, lpad(to_hex(${now.getTime()}::bigint - n * 1000), 12, '0') as hex
      from generate_series(1, ${count}::int) n
    ) entry`
})

/** Types one more letter in the search while the page writes the earlier ones into the address. */
const typeMeanwhile = `{
  const field = document.querySelector("input.search-field")
  const replace = history.replaceState.bind(history)
  history.replaceState = (...change) => {
    replace(...change)
    if (!String(change[2]).endsWith("search=al")) return
    field.value += "d"
    field.dispatchEvent(new Event("input", { bubbles: true }))
  }
}`

const refused = { error: { code: "conflict", message: "Not now, in this test" } }

describe.skipIf(withoutBrowser)("In the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("one finds", (it) => {
    it.effect(
      "where a comment was said, and why it was reported, on a phone and at a desk, light and dark",
      () =>
        Effect.gen(function*() {
          const { club, lesson, reader } = yield* reported
          const token = yield* tokenAs(club, "support")
          const base = `/console/${club.organization_id}`
          const page = yield* visit(`${base}/community/comments?state=reported`, { width: 390, token })
          const main = page.locator("main")
          yield* Effect.promise(async () => {
            await main.getByText("1 student reported it").waitFor()
            await main.getByText(hostile).waitFor()
            assert.strictEqual(
              await main.getByRole("link", { name: lesson.title }).getAttribute("href"),
              `${base}/content/lessons/${lesson.id}`
            )
            assert.strictEqual(
              await main.getByRole("link", { name: "Rita 🎻" }).getAttribute("href"),
              `${base}/students/${reader.id}`
            )
          })
          yield* lookAll(page, "community-reported")
        }).pipe(Effect.scoped)
    )

    it.effect("which courses students see something of, without opening them", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const course = yield* makeCourse(club)
        const module = yield* makeModule(club, course)
        yield* makeLesson(club, module, { published_at: null })
        const base = `/console/${club.organization_id}/content`
        const page = yield* visit(base, { token: club.token })
        yield* Effect.promise(() => page.getByText("Nothing is published yet: students see no lesson.").waitFor())
        yield* makeLesson(club, module, { position: 2 })
        yield* follow(page, base)
        yield* Effect.promise(() => page.getByText("1 lesson live").waitFor())
        yield* follow(page, `${base}/courses/${course.id}`)
        yield* Effect.promise(() => page.getByText("empty", { exact: true }).first().waitFor())
      }).pipe(Effect.scoped))

    it.effect("a file of a large library by its name, wherever it stands", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const club = yield* foundClub()
        const { lesson } = yield* makeLiveLesson(club)
        yield* makeMedia(club, { title: "Rara" })
        yield* sql`
          insert into media (club_id, id, kind, purpose, title, provider, status, visibility, external_id, created_at)
          select ${club.id}::uuid, ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'video', 'library',
            'Aula ' || n, 'youtube', 'ready', 'private', 'dQw4w9WgXcQ', ${new Date()}
          from generate_series(1, 150) n`
        const base = `/console/${club.organization_id}/content`
        const page = yield* visit(`${base}/lessons/${lesson.id}`, { token: club.token })
        const dialog = page.getByRole("dialog").last()
        const shown = dialog.getByRole("button", { name: /^Choose (?:Aula|Rara)/ })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "File", exact: true }).click()
          await page.getByRole("button", { name: "Choose or upload" }).click()
        })
        yield* Effect.forEach([20, 40, 60, 80, 100], (count) =>
          Effect.promise(async () => {
            await shown.nth(count - 1).waitFor()
            assert.strictEqual(await shown.count(), count)
            await dialog.getByRole("button", { name: "Show more" }).click()
          }))
        yield* Effect.promise(async () => {
          await shown.nth(119).waitFor()
          await dialog.getByRole("searchbox").fill("rara")
          await shown.nth(1).waitFor({ state: "detached" })
          await dialog.getByRole("button", { name: "Choose Rara" }).waitFor()
        })
        yield* look(page, "content-picker")
        yield* Effect.promise(() => page.getByRole("button", { name: "Choose Rara" }).click())
        yield* Effect.promise(() => page.getByText("Rara").first().waitFor())
        yield* follow(page, `${base}/media?search=rara`)
        yield* Effect.promise(() => page.getByRole("table").getByText("Rara").waitFor())
      }).pipe(Effect.scoped))

    it.effect("what was done once among thousands of other things", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* done(club, 10_050)
        const address = `/console/${club.organization_id}/settings/audit?operation=students.remove`
        const page = yield* visit(address, { token: club.token })
        yield* Effect.promise(async () => {
          await page.getByRole("table").getByRole("button", { name: "students.remove" }).waitFor()
          assert.strictEqual(await page.locator("tr[data-row]").count(), 1)
        })
      }).pipe(Effect.scoped))

    it.effect("what is typed to the last letter, whenever it was typed", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* makeStudent(club, { name: "Aldo" })
        const page = yield* visit(`/console/${club.organization_id}/students`, { token: club.token })
        yield* Effect.promise(async () => {
          await page.evaluate(typeMeanwhile)
          await page.getByRole("searchbox").fill("al")
          await page.waitForURL((url) => url.search === "?search=ald")
          assert.strictEqual(await page.getByRole("searchbox").inputValue(), "ald")
          await page.getByRole("link", { name: "Aldo" }).click()
          await page.getByRole("heading", { name: "Aldo" }).waitFor()
          await page.goBack()
          await page.getByRole("searchbox").waitFor()
          assert.strictEqual(await page.getByRole("searchbox").inputValue(), "ald")
        })
      }).pipe(Effect.scoped))

    it.effect("by the command palette, which runs what was chosen though more is found meanwhile", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* makeStudent(club, { name: "Purchase Prado" })
        const page = yield* visit(`/console/${club.organization_id}/webhooks`, { token: club.token })
        yield* Effect.promise(async () => {
          const found = Promise.withResolvers<undefined>()
          await page.route("**/students?*search=purchase*", async (route) => {
            await found.promise
            await route.continue()
          })
          const option = page.getByRole("listbox").getByRole("option")
          const chosen = page.locator("[role=option][aria-selected=true]")
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox", { name: /^Find a/ }).fill("purchase")
          await option.filter({ hasText: "Deliveries of" }).nth(1).waitFor()
          await page.keyboard.press("ArrowDown")
          const before = await chosen.textContent()
          found.resolve(undefined)
          await option.filter({ hasText: "Purchase Prado" }).waitFor()
          assert.strictEqual(await chosen.textContent(), before)
          await page.keyboard.press("Enter")
          await page.waitForURL((url) => `Deliveries of ${url.searchParams.get("type")}` === before)
        })
      }).pipe(Effect.scoped))

    it.effect("a student's deliveries by a name", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const student = yield* makeStudent(club, { name: "Zoë Prado 🎻" })
        yield* makeStudent(club, { name: "Outra" })
        const page = yield* visit(`/console/${club.organization_id}/webhooks/deliveries`, {
          token: club.token,
          expected: [/409/]
        })
        yield* Effect.promise(async () => {
          await page.getByText("More filters").click()
          await page.getByRole("searchbox", { name: "Student" }).fill("zoe prado")
          await page.getByRole("button", { name: "Zoë Prado" }).click()
          await page.waitForURL(`**/webhooks/deliveries?student=${student.id}`)
          await page.getByRole("button", { name: /not only Zoë Prado 🎻/ }).click()
          await page.waitForURL("**/webhooks/deliveries")
        })
        yield* Effect.promise(() => page.getByText("More filters").click())
        yield* Effect.promise(() => page.getByRole("searchbox", { name: "Student" }).fill("zoe"))
        yield* Effect.promise(() => page.getByRole("button", { name: "Zoë Prado" }).waitFor())
        yield* look(page, "webhooks-student-filter")
        yield* Effect.promise(() => page.setViewportSize({ width: 390, height: 844 }))
        yield* look(page, "webhooks-student-filter")
        // The found student stays on the page until the next answer. If that answer is a refusal, the page shows why.
        yield* Effect.promise(async () => {
          const answer = Promise.withResolvers<undefined>()
          await page.route("**/students?*search=zoe*pra*", async (route) => {
            await answer.promise
            await route.fulfill({ status: 409, json: refused })
          })
          const asked = page.waitForRequest("**/students?*search=zoe*pra*")
          await page.getByRole("searchbox", { name: "Student" }).fill("zoe pra")
          await asked
          assert.strictEqual(await page.getByRole("button", { name: "Zoë Prado" }).count(), 1)
          answer.resolve(undefined)
          await page.getByText("Not now, in this test").waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "Zoë Prado" }).count(), 0)
        })
      }).pipe(Effect.scoped))
  })
})
