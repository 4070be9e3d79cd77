import { assert, describe, it } from "@effect/vitest"
import { agendaOf, fileName, waitOf } from "../../../../src/classroom/views/lives/agenda.ts"

const now = Date.UTC(2026, 4, 10, 18)
const hour = 3_600_000

const live = (title: string, hours: number, status: "scheduled" | "open" | "ended" = "scheduled") => ({
  title,
  starts_at: new Date(now + hours * hour).toISOString(),
  ends_at: null,
  status
})

const titles = (lives: ReadonlyArray<{ readonly title: string }>) => lives.map(({ title }) => title)

describe("The lives of a student", () => {
  it("come with the next first, and those that are over with the latest first", () => {
    const lives = [live("b", 48), live("a", 2), live("d", -50, "ended"), live("c", -10, "ended"), live("e", 0, "open")]
    const { coming, open, past } = agendaOf(lives, now)
    assert.deepStrictEqual([open, coming, past].map(titles), [["e"], ["a", "b"], ["c", "d"]])
  })

  it("wait for one that is late, and no longer for one that was never opened", () => {
    const { coming, past } = agendaOf([live("late", -2), live("missed", -4)], now)
    assert.deepStrictEqual([coming, past].map(titles), [["late"], ["missed"]])
  })
})

describe("The time until a live", () => {
  it("is in whole minutes, hours and days, and never below zero", () => {
    assert.deepStrictEqual(waitOf(now + 51 * hour + 1, now), { days: 2, hours: 3, minutes: 1 })
    assert.deepStrictEqual(waitOf(now + 1, now), { days: 0, hours: 0, minutes: 1 })
    assert.deepStrictEqual(waitOf(now - hour, now), { days: 0, hours: 0, minutes: 0 })
  })
})

describe("The name of a live's file", () => {
  it("has nothing of a title that a system does not allow", () => {
    assert.deepStrictEqual(["Aula 1/2: \"Ré\"?", "///"].map(fileName), ["Aula 1 2 Ré", "live"])
  })
})
