import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { StudentId } from "../../../../src/identity/ids/StudentId.ts"
import { csvHeader, csvLines } from "../../../../src/membership/students/export/StudentCsv.ts"
import { rowsOfCsv } from "../../../../src/membership/students/import/Csv.ts"
import { text } from "../../../../src/platform/http/Text.ts"

const student = (name: string, email = "ana@example.com") => ({
  id: StudentId.make("0190a000-0000-7000-8000-000000000001"),
  name,
  email,
  verified: true,
  created_at: DateTime.makeUnsafe("2026-01-31T12:00:00Z")
})

const lineOf = (name: string) => csvLines([student(name)])
const nameIn = (name: string) => lineOf(name).split(",").slice(1, -3).join(",")

const Odd = Schema.Literals(["=", "+", "-", "@", "'", "\"", ",", ";", "\t", "\r", "\n", " ", "a", "\u00e3", "\ufeff"])

describe("The export", () => {
  it("has a header, and a line for each student", () => {
    assert.strictEqual(csvHeader, "\ufeffid,name,email,verified,created_at\r\n")
    assert.strictEqual(
      csvLines([student("Ana"), student("Bia", "bia@example.com")]),
      "0190a000-0000-7000-8000-000000000001,Ana,ana@example.com,true,2026-01-31T12:00:00.000Z\r\n" +
        "0190a000-0000-7000-8000-000000000001,Bia,bia@example.com,true,2026-01-31T12:00:00.000Z\r\n"
    )
  })

  it.each([
    ["Ana, a primeira", "\"Ana, a primeira\""],
    ["Ana \"Mimi\" Lima", "\"Ana \"\"Mimi\"\" Lima\""],
    ["Ana\nLima", "\"Ana\nLima\""],
    ["Ana\r\nLima", "\"Ana\r\nLima\""],
    ["Ana;=1+1", "\"Ana;=1+1\""]
  ])("puts into quotes what would end a cell: %j", (name, expected) => {
    assert.strictEqual(nameIn(name), expected)
  })

  it.each([
    ["=HYPERLINK(A1)", "'=HYPERLINK(A1)"],
    ["+55 11", "'+55 11"],
    ["-1", "'-1"],
    ["@SUM", "'@SUM"],
    ["\tAna", "\"'\tAna\""],
    ["\rAna", "\"'\rAna\""],
    ["'=1", "''=1"]
  ])("begins with an apostrophe what a spreadsheet would compute: %j", (name, expected) => {
    assert.strictEqual(nameIn(name), expected)
  })

  it("guards an address too", () => {
    assert.include(csvLines([student("Ana", "=cmd@example.com")]), ",'=cmd@example.com,")
  })

  it.prop(
    "is read by an import as the students it was written from",
    { plain: text(1, 40), odd: Schema.Array(Schema.Array(Odd)) },
    ({ odd, plain }) => {
      const names = [plain, ...odd.map((signs) => signs.join(""))]
      const file = csvHeader + csvLines(names.map((name) => student(name)))
      const { rows } = Effect.runSync(rowsOfCsv(new TextEncoder().encode(file)))
      const read = (name: string) => name.replace(/\r\n?/g, "\n").trim()
      assert.deepStrictEqual(rows.map(({ name }) => name.trim()), names.map(read))
      assert.isTrue(rows.every(({ email, fault }) => email === "ana@example.com" && fault === null))
    }
  )
})
