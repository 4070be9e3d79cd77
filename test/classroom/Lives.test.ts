import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { readFile } from "node:fs/promises"
import { at, foundClub, listAt, send } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { announce, attendee, close, livesOf, open } from "../learning/lives/Live.ts"
import { ClassroomAppLayer, lookAll, visit } from "./Visit.ts"

const description = "Traga o violão afinado.\nVamos tocar juntos a primeira música."

/** A moment so long from now. */
const inTime = (duration: DateTime.DateTime.PartsForMath | Partial<DateTime.DateTime.PartsForMath>) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.add(now, duration)))

describe.skipIf(withoutBrowser)("The classroom's lives", () => {
  layer(ClassroomAppLayer, { excludeTestServices: true })("for a student", (it) => {
    it.effect("show the next one first, with the time until it in words", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const later = yield* announce(club, { title: "Segunda", starts_at: yield* inTime({ days: 9 }) })
        const next = yield* announce(club, {
          title: "Primeira",
          starts_at: yield* inTime({ days: 2, hours: 3, minutes: 1 })
        })
        const { token } = yield* attendee(club, later, next)
        const page = yield* visit(club, ["lives"], { token })
        yield* Effect.promise(async () => {
          const first = page.getByRole("article", { name: "Primeira" })
          await first.getByText("Begins in 2 days and 3 hours").waitFor()
          await page.getByRole("region", { name: "Coming up" }).getByText("Segunda").waitFor()
        })
      }).pipe(Effect.scoped))

    it.effect("are saved for a calendar under their title, and say the club's time where it is another", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* send("PATCH", club.path, { token: club.token, body: { time_zone: "America/Sao_Paulo" } })
        const id = yield* announce(club, { title: "Aula 1/2", starts_at: "2099-05-10T18:00:00.000Z" })
        const { token } = yield* attendee(club, id)
        const page = yield* visit(club, ["lives"], { token, timeZone: "Europe/Lisbon" })
        yield* Effect.promise(async () => {
          await page.getByText("Sunday, May 10, 7:00 PM").waitFor()
          await page.getByText("3:00 PM by the club's clock").waitFor()
          const saved = page.waitForEvent("download")
          await page.getByRole("button", { name: "Add to my calendar" }).click()
          const file = await saved
          assert.strictEqual(file.suggestedFilename(), "Aula 1 2.ics")
          assert.match(await readFile(await file.path(), "utf8"), /DTSTART:20990510T180000Z/)
        })
      }).pipe(Effect.scoped))

    it.effect("lead to an open one, and record that one was there", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const id = yield* announce(club, {
          starts_at: yield* inTime({ minutes: -5 }),
          url: "https://live.example/roda"
        })
        yield* open(club, id)
        const student = yield* attendee(club, id)
        const page = yield* visit(club, ["lives"], { token: student.token, expected: [/ERR_NAME_NOT_RESOLVED|Asks/] })
        yield* Effect.promise(async () => {
          await page.getByText("Live now").waitFor()
          await page.getByText("Those who join earn points.").waitFor()
          const link = page.getByRole("link", { name: "Join now" })
          assert.strictEqual(await link.getAttribute("href"), "https://live.example/roda")
          assert.strictEqual(await link.getAttribute("rel"), "noopener noreferrer")
          await page.context().route("https://live.example/**", (route) => route.fulfill({ body: "" }))
          await link.click()
          await page.getByText("You were there").waitFor()
          await page.getByText(/20 points for you/).waitFor()
        })
        const { json } = yield* livesOf(club, student)
        assert.isString(at(listAt(json, "data")[0], "joined_at"))
      }).pipe(Effect.scoped))

    it.effect("on a phone and at a desk, light and dark", () =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale: "pt-BR" })
        const past = yield* announce(club, { title: "Boas-vindas", starts_at: yield* inTime({ days: -20 }) })
        const begins = yield* inTime({ minutes: -5 })
        const now = yield* announce(club, { description, starts_at: begins, url: "https://live.example/roda" })
        const later = yield* announce(club, {
          title: "Afinação: como ouvir o que está fora",
          starts_at: yield* inTime({ days: 3 }),
          ends_at: yield* inTime({ days: 3, hours: 1 })
        })
        yield* open(club, past)
        yield* close(club, past)
        yield* open(club, now)
        const { token } = yield* attendee(club, past, now, later)
        const page = yield* visit(club, ["lives"], { token, width: 390 })
        yield* Effect.promise(() => page.getByText("Boas-vindas").waitFor())
        yield* lookAll(page, "lives")
        yield* close(club, now)
        yield* Effect.promise(() => page.reload())
        yield* Effect.promise(() => page.getByText("Começa em").waitFor())
        yield* lookAll(page, "lives-next")
      }).pipe(Effect.scoped))

    it.effect("say what belongs here while there are none", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { token } = yield* attendee(club)
        const page = yield* visit(club, ["lives"], { token })
        yield* Effect.promise(() => page.getByText("No lives are planned").waitFor())
        yield* lookAll(page, "lives-none")
      }).pipe(Effect.scoped))
  })
})
