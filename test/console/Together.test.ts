import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeCourse, makeLiveLesson, makeStudent } from "../harness/Makers.ts"
import { becomes, ConsoleAppLayer, follow, look, open, visit } from "./Visit.ts"

type Club = Effect.Success<ReturnType<typeof foundClub>>

/** A person returns to the page from another window. */
const lookAgain = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click()

const name = (page: Page) => page.getByLabel("Name", { exact: true })

const clubOf = Effect.fnUntraced(function*(club: Club) {
  const { json } = yield* send("GET", club.path, { token: club.token })
  return at(json, "data")
})

/** The club's settings, open in the browsers of two administrators. */
const two = Effect.gen(function*() {
  const club = yield* foundClub()
  const path = `/console/${club.organization_id}/settings`
  const one = yield* visit(path, { token: club.token })
  const other = yield* visit(path, { token: yield* tokenAs(club, "admin") })
  return { club, one, other }
})

/** The bodies of the page's PATCH requests. */
const patches = (page: Page) => {
  const bodies: Array<unknown> = []
  page.on("request", (request) => {
    if (request.method() === "PATCH") bodies.push(request.postDataJSON())
  })
  return bodies
}

const made = Effect.fnUntraced(function*(club: Club, path: string, body: Readonly<Record<string, unknown>>) {
  const { json, text } = yield* send("POST", `${club.path}/${path}`, { token: club.token, body })
  const id = at(json, "data", "id")
  assert.isString(id, text)
  return String(id)
})

describe.skipIf(withoutBrowser)("Two administrators at once", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("in the console", (it) => {
    it.effect("change different fields, and both are kept, also where neither has looked again", () =>
      Effect.gen(function*() {
        const { club, one, other } = yield* two
        yield* Effect.promise(async () => {
          await name(one).fill("Flauta de um")
          await other.getByLabel("Time zone").selectOption("America/Manaus")
          await save(other)
          await other.getByText("Saved", { exact: true }).waitFor()
          await save(one)
          await one.getByText("Saved", { exact: true }).waitFor()
        })
        const now = yield* clubOf(club)
        assert.deepStrictEqual([at(now, "name"), at(now, "time_zone")], ["Flauta de um", "America/Manaus"])
        yield* Effect.promise(async () => {
          await one.locator("select[name=time_zone]").locator("option:checked", { hasText: "America/Manaus" }).waitFor({
            state: "attached"
          })
          assert.isTrue(await one.getByRole("button", { name: "Save", exact: true }).isDisabled())
        })
      }).pipe(Effect.scoped))

    it.effect("see in fields they have not touched what the other saved, and keep what they are typing", () =>
      Effect.gen(function*() {
        const { one, other } = yield* two
        yield* Effect.promise(async () => {
          await name(one).fill("Being typed")
          await other.getByLabel("Anyone may sign up").click()
          await save(other)
          await other.getByText("Saved", { exact: true }).waitFor()
          const before = await one.getByLabel("Anyone may sign up").isChecked()
          await lookAgain(one)
          await one.locator(before ? "[name=sign_up_open]:not(:checked)" : "[name=sign_up_open]:checked").waitFor()
          assert.strictEqual(await name(one).inputValue(), "Being typed")
          assert.strictEqual(await one.getByText("Somebody else").count(), 0)
        })
      }).pipe(Effect.scoped))

    it.effect("hear of a field that both change, and take what the other made of it", () =>
      Effect.gen(function*() {
        const { club, one, other } = yield* two
        yield* Effect.promise(async () => {
          await name(one).fill("Mine")
          await name(other).fill("Theirs <b>first</b>")
          await save(other)
          await other.getByText("Saved", { exact: true }).waitFor()
          await lookAgain(one)
          await one.getByText("Somebody else has changed “Name” meanwhile. It is now: Theirs <b>first</b>").waitFor()
          assert.strictEqual(await name(one).inputValue(), "Mine")
        })
        yield* look(one, "contested")
        yield* Effect.promise(async () => {
          await one.getByRole("button", { name: "Take theirs: Name" }).click()
          await one.getByText("Somebody else").waitFor({ state: "detached" })
          assert.strictEqual(await name(one).inputValue(), "Theirs <b>first</b>")
          assert.isTrue(await one.getByRole("button", { name: "Save", exact: true }).isDisabled())
          await name(one).fill("Mine after all")
          await save(one)
          await one.getByText("Saved", { exact: true }).waitFor()
        })
        assert.strictEqual(at(yield* clubOf(club), "name"), "Mine after all")
      }).pipe(Effect.scoped))

    it.effect("add to one delivery, and it has what both added", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const [first, second] = [
          yield* makeCourse(club, { title: "Flauta" }),
          yield* makeCourse(club, { title: "Violino" })
        ]
        const id = yield* made(club, "deliveries", { name: "Tudo" })
        const path = `/console/${club.organization_id}/content/deliveries/${id}`
        const one = yield* visit(path, { token: club.token })
        const other = yield* visit(path, { token: yield* tokenAs(club, "admin") })
        const add = async (page: Page, course: string) => {
          await page.getByLabel("Add to it").selectOption({ label: `Course: ${course}` })
          await page.getByRole("button", { name: `Take out ${course}` }).waitFor()
        }
        yield* Effect.promise(async () => {
          await add(one, "Flauta")
          await add(other, "Violino")
          await other.getByRole("button", { name: "Take out Flauta" }).waitFor()
        })
        const { json } = yield* send("GET", `${club.path}/deliveries/${id}`, { token: club.token })
        assert.deepStrictEqual(
          listAt(json, "data", "items").map((item) => at(item, "id")),
          [first.id, second.id]
        )
      }).pipe(Effect.scoped))

    it.effect("do not undo unseen what the other made of a list that is sent as a whole", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { lesson } = yield* makeLiveLesson(club)
        const key = yield* made(club, "keys", { name: "Loja", role: "viewer" })
        const options = [{ text: "Sim", correct: true }, { text: "Não", correct: false }]
        const block = yield* made(club, `lessons/${lesson.id}/blocks`, {
          kind: "quiz",
          title: "Prova",
          pass_percent: 70,
          questions: [{ text: "Primeira?", options }]
        })
        const page = yield* visit(`/console/${club.organization_id}/keys/${key}`, { token: club.token })
        const unseen = page.getByText("Somebody else has changed this meanwhile, and nothing was saved")
        const other = Effect.fnUntraced(function*(path: string, body: Readonly<Record<string, unknown>>) {
          const { status, text } = yield* send("PATCH", `${club.path}/${path}`, { token: club.token, body })
          assert.strictEqual(status, 200, text)
        })
        yield* Effect.promise(() => page.getByLabel("Networks").fill("203.0.113.0/24"))
        yield* other(`keys/${key}`, { allowed_networks: ["198.51.100.0/24"] })
        yield* Effect.promise(async () => {
          await save(page)
          await unseen.waitFor()
          await page.getByText("Somebody else has changed “Networks” meanwhile. It is now: 198.51.100.0/24").waitFor()
        })
        const kept = yield* send("GET", `${club.path}/keys/${key}`, { token: club.token })
        assert.deepStrictEqual(at(kept.json, "data", "allowed_networks"), ["198.51.100.0/24"])
        // The administrator has seen the change of the other one, and decides.
        yield* Effect.promise(async () => {
          await save(page)
          await page.getByText("Saved", { exact: true }).waitFor()
        })
        const changed = yield* send("GET", `${club.path}/keys/${key}`, { token: club.token })
        assert.deepStrictEqual(at(changed.json, "data", "allowed_networks"), ["203.0.113.0/24"])
        yield* open(page, `/console/${club.organization_id}/content/lessons/${lesson.id}`)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Edit Prova" }).click()
          await page.getByLabel("What is asked").fill("Minha?")
        })
        yield* other(`blocks/${block}`, { questions: [{ text: "Dela?", options }] })
        yield* Effect.promise(async () => {
          await save(page)
          await unseen.first().waitFor()
          await page.getByText("Somebody else has changed “Questions” meanwhile. It is now: Dela?").waitFor()
          await page.getByRole("button", { name: "Take theirs: Questions" }).click()
          await becomes(async () => await page.getByLabel("What is asked").inputValue() === "Dela?")
        })
      }).pipe(Effect.scoped))

    it.effect("send of every form what was changed alone", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const student = yield* makeStudent(club)
        const [key, delivery, repository, endpoint] = [
          yield* made(club, "keys", { name: "Loja", role: "viewer" }),
          yield* made(club, "deliveries", { name: "Tudo", default_access_days: 30 }),
          yield* made(club, "repositories", { title: "Partituras" }),
          yield* made(club, "webhook-endpoints", { url: "https://93.184.215.14/", event_types: ["student.created"] })
        ]
        const page = yield* visit(`/console/${club.organization_id}`, { token: club.token })
        const sent = patches(page)
        const forms = [
          ["settings", "", "Name", "Another", { name: "Another" }],
          [`keys/${key}`, "", "Name", "Another", { name: "Another" }],
          [`content/deliveries/${delivery}`, "", "Name", "Another", { name: "Another" }],
          [`content/repositories/${repository}`, "", "Title", "Another", { title: "Another" }],
          [`students/${student.id}/profile`, "", "Name", "Another", { name: "Another" }],
          [`webhooks/${endpoint}`, "Change", "Description", "Another", { description: "Another" }],
          ["gamification", "", "Quiz passed", "77", { rules: [{ action: "quiz_passed", points: 77 }] }],
          ["community", "Edit", "Name", "Another", { name: "Another" }]
        ] as const
        yield* Effect.forEach(forms, ([path, opener, field, text]) =>
          Effect.gen(function*() {
            yield* follow(page, `/console/${club.organization_id}/${path}`)
            yield* Effect.promise(async () => {
              if (opener !== "") await page.getByRole("button", { name: opener, exact: true }).first().click()
              await page.getByLabel(field, { exact: true }).fill(text)
              const answered = page.waitForResponse((response) => response.request().method() === "PATCH")
              await save(page)
              assert.strictEqual((await answered).status(), 200, path)
            })
          }))
        assert.deepStrictEqual(sent, forms.map(([, , , , body]) => body))
      }).pipe(Effect.scoped))
  })
})
