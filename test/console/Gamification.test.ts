import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { at, foundClub, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeStudent } from "../harness/Makers.ts"
import { becomes, ConsoleAppLayer, look, lookAll, visit } from "./Visit.ts"

type Club = Effect.Success<ReturnType<typeof foundClub>>

const hostile = "<img src=x onerror=alert(1)>"
const names = ["عبد الرحمن 🎸", hostile, "Noel Rosa", "Ana", "Bia", "Caê"]

/** A club whose students have points on a ladder of 0, 100 and 300. */
const ranked = Effect.gen(function*() {
  const club = yield* foundClub({ locale: "en" })
  const levels = [["Bronze", 0], [hostile, 100], ["ذهب 🥇", 300]] as const
  yield* send("PUT", `${club.path}/gamification/levels`, {
    token: club.token,
    body: { levels: levels.map(([name, min_points]) => ({ name, min_points })) }
  })
  const points = [10, 60, 150, 160, 350, 0]
  for (const [index, name] of names.entries()) {
    const student = yield* makeStudent(club, { name })
    if (points[index] === 0) continue
    yield* send("POST", `${club.path}/students/${student.id}/points`, {
      token: club.token,
      body: { points: points[index], reason: "a" }
    })
  }
  return club
})

const within = ({ organization_id }: Club, ...parts: ReadonlyArray<string>) =>
  ["/console", organization_id, "gamification", ...parts].join("/")

const points = (page: Page, level: number) => page.getByLabel(`Points of level ${level}`)

const ladderOf = (club: Club) =>
  Effect.map(
    send("GET", `${club.path}/gamification`, { token: club.token }),
    ({ json }) => listAt(json, "data", "levels").map((level) => [at(level, "name"), at(level, "min_points")])
  )

describe.skipIf(withoutBrowser)("The console's gamification", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("for an administrator", (it) => {
    it.effect("shows who a ladder would move before it is saved, and only then is it", () =>
      Effect.gen(function*() {
        const club = yield* ranked
        const page = yield* visit(within(club, "levels"), { token: club.token })
        yield* Effect.promise(async () => {
          await page.getByText("6 students on 3 levels.").waitFor()
          await points(page, 2).fill("50")
          await page.getByText("1 student would move up").waitFor()
          await points(page, 3).fill("400")
          await page.getByText("1 student would move down").waitFor()
          await page.getByRole("button", { name: "Add a level" }).click()
          await page.getByLabel("Name of level 4").fill("Diamond 💎")
        })
        const before = yield* ladderOf(club)
        assert.deepStrictEqual(before[1], [hostile, 100])
        yield* look(page, "gamification-draft")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Save the ladder" }).click()
          const dialog = page.getByRole("dialog", { name: "Save the ladder" })
          await dialog.getByText("1 student would move up").waitFor()
          await dialog.getByRole("button", { name: "Save the ladder" }).click()
          await page.getByText("The ladder is saved").waitFor()
          await dialog.waitFor({ state: "detached" })
        })
        assert.deepStrictEqual(yield* ladderOf(club), [
          ["Bronze", 0],
          [hostile, 50],
          ["ذهب 🥇", 400],
          ["Diamond 💎", 800]
        ])
      }).pipe(Effect.scoped))

    it.effect("says what is wrong with a ladder where it is entered, and saves none of it", () =>
      Effect.gen(function*() {
        const club = yield* ranked
        const page = yield* visit(within(club, "levels"), { token: club.token })
        const save = page.getByRole("button", { name: "Save the ladder" })
        yield* Effect.promise(async () => {
          await points(page, 1).fill("5")
          await page.getByText("One level begins at 0 points").waitFor()
          await points(page, 1).fill("100")
          await page.getByText("Another level begins at the same points.").waitFor()
          await points(page, 1).fill("0")
          await page.getByLabel("Name of level 1").fill("")
          await page.getByText("A name has 1 to 40 characters.").waitFor()
          assert.isTrue(await save.isDisabled())
          await page.getByRole("button", { name: "Remove ذهب 🥇" }).click()
          await page.getByLabel("Name of level 2").waitFor()
          await page.getByRole("button", { name: `Remove ${hostile}` }).click()
          await page.getByText("A ladder has at least 2 levels.").waitFor()
          await page.getByRole("button", { name: "Discard" }).click()
          await points(page, 3).waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("tells when another administrator has changed the ladder meanwhile", () =>
      Effect.gen(function*() {
        const club = yield* ranked
        const page = yield* visit(within(club, "levels"), { token: club.token })
        yield* Effect.promise(() => points(page, 2).fill("50"))
        yield* send("PUT", `${club.path}/gamification/levels`, {
          token: yield* tokenAs(club, "admin"),
          body: { levels: [{ name: "A", min_points: 0 }, { name: "B", min_points: 7 }] }
        })
        yield* Effect.promise(async () => {
          await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
          await page.getByText("Somebody else has changed the ladder meanwhile.").waitFor()
          await page.getByRole("button", { name: "Start from the new one" }).click()
          await becomes(async () => await page.locator(".levels .level").count() === 2)
          assert.strictEqual(await points(page, 2).inputValue(), "7")
        })
      }).pipe(Effect.scoped))

    it.effect("is not replaced by whoever has not seen that another administrator has replaced it", () =>
      Effect.gen(function*() {
        const club = yield* ranked
        const page = yield* visit(within(club, "levels"), { token: club.token })
        yield* Effect.promise(async () => {
          await points(page, 2).fill("50")
          await page.getByText("would move").first().waitFor()
        })
        yield* send("PUT", `${club.path}/gamification/levels`, {
          token: yield* tokenAs(club, "admin"),
          body: { levels: [{ name: "A", min_points: 0 }, { name: "B", min_points: 7 }] }
        })
        const theirs = yield* ladderOf(club)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Save the ladder" }).click()
          const dialog = page.getByRole("dialog", { name: "Save the ladder" })
          await dialog.getByRole("button", { name: "Save the ladder" }).click()
          await dialog.getByText("Somebody else has changed the ladder meanwhile.").waitFor()
          await page.keyboard.press("Escape")
          await page.getByRole("button", { name: "Start from the new one" }).waitFor()
        })
        assert.deepStrictEqual(yield* ladderOf(club), theirs)
      }).pipe(Effect.scoped))

    it.effect("switches it and changes points, of which the API has the last word", () =>
      Effect.gen(function*() {
        const club = yield* ranked
        const page = yield* visit(within(club), { token: club.token })
        yield* Effect.promise(async () => {
          await page.getByLabel("Actions pay points").uncheck()
          await page.getByLabel("Quiz passed").fill("37")
          await page.getByText("At most 5 times a day").first().waitFor()
          await page.getByRole("button", { name: "Save", exact: true }).click()
          await page.getByText("Saved", { exact: true }).waitFor()
          await page.getByText("Switched off").waitFor()
        })
        const { json } = yield* send("GET", `${club.path}/gamification`, { token: club.token })
        const rules = listAt(json, "data", "rules").map((rule) => [at(rule, "action"), at(rule, "points")])
        assert.strictEqual(at(json, "data", "enabled"), false)
        assert.deepInclude(rules, ["quiz_passed", 37])
        assert.deepInclude(rules, ["lesson_completed", 10])
      }).pipe(Effect.scoped))
  })

  layer(ConsoleAppLayer, { excludeTestServices: true })("for a viewer", (it) => {
    it.effect("is read and not changed on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* ranked
        const token = yield* tokenAs(club, "viewer")
        const page = yield* visit(within(club), { width: 390, token })
        yield* Effect.promise(() => page.getByText("Only administrators change the rules.").waitFor())
        yield* lookAll(page, "gamification-rules")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Levels" }).click()
          await page.getByText("Only administrators change the ladder.").waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "Save the ladder" }).count(), 0)
          await page.getByRole("table", { name: "Each level before and after" }).getByText(hostile).waitFor()
        })
        yield* lookAll(page, "gamification-levels")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Ranking" }).click()
          await page.getByRole("row", { name: /Bia/ }).waitFor()
          await page.getByRole("link", { name: hostile }).waitFor()
          await page.getByText("عبد الرحمن 🎸").waitFor()
        })
        yield* lookAll(page, "gamification-ranking")
      }).pipe(Effect.scoped))
  })
})
