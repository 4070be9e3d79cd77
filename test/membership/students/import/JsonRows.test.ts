import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { rowsOfJson } from "../../../../src/membership/students/import/JsonRows.ts"

const read = (text: string) => Effect.runSync(Effect.result(rowsOfJson(new TextEncoder().encode(text))))

const rowsIn = (text: string) =>
  Result.getOrThrow(read(text)).map(({ document, ...row }) => ({ ...row, document: Redacted.value(document) }))

const refusal = (text: string) => {
  const result = read(text)
  return Result.isFailure(result) ? `${result.failure.error.code}, ${result.failure.error.message}` : "none"
}

const people = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => ({ name: `"{[,:]}\\ ${n} é🎸`, email: `a${n}`, document: n === 0 ? null : "1" })
  )

const malformed = "malformed_request, The body is not valid JSON"
const tooMuch = "must have at most 32768 characters and 50 values"

describe("Rows as JSON", () => {
  it("are read as one list, however it is cut", () => {
    const sent = people(5000)
    for (const text of [JSON.stringify({ rows: sent }), JSON.stringify({ rows: sent }, null, 2)]) {
      assert.deepStrictEqual(
        rowsIn(text),
        sent.map(({ document, ...row }, index) => ({
          line: index + 1,
          ...row,
          delivery: "",
          cohort: "",
          expires_at: "",
          fault: null,
          document: document ?? ""
        }))
      )
    }
    assert.strictEqual(rowsIn(` {"\\u0072ows" : [ {"name":"a","email":"b"} ] } `).length, 1)
  })

  it("are refused by the row and the field that is wrong", () => {
    const rows: ReadonlyArray<object> = people(1234)
    assert.strictEqual(
      refusal(JSON.stringify({ rows: [...rows, { name: "a" }, ...rows] })),
      "validation_failed, rows[1234].email is required"
    )
    assert.strictEqual(
      refusal(JSON.stringify({ rows: [...rows, { name: "a", email: "b", x: 1 }] })),
      "validation_failed, `rows[1234].x` is not a known field"
    )
    assert.strictEqual(
      refusal(JSON.stringify({ rows: [...rows, 1] })),
      "validation_failed, rows[1234] must be an object"
    )
  })

  it.each([
    ["", "validation_failed, The body must be an object"],
    ["[]", "validation_failed, The body must be an object"],
    ["{}", "validation_failed, rows is required"],
    [`{"rows":1}`, "validation_failed, rows must be a list of 1 to 5000 items"],
    [`{"x":[1],"rows":[1]}`, "validation_failed, rows[0] must be an object; `x` is not a known field"],
    [`{"rows":[{"name":"a","email":"b"}],"x":1}`, "validation_failed, `x` is not a known field"],
    ["{", malformed],
    [`{"rows":[`, malformed],
    [`{"rows":[{"name":"a","email":"b"}]`, malformed],
    [`{"rows":[{"name":"a","email":"b"},]}`, malformed],
    [`{"rows":[{"name":"a","email":"b"}}]}`, malformed],
    [`{"rows":[{"name":"a","email":"b"}],"rows":[{"name":"a","email":"b"},{"name":"a","email":"b"}]}`, malformed]
  ])("are refused where there are none: %s", (text, expected) => {
    assert.strictEqual(refusal(text), expected)
  })

  it("are 5,000 at most, of 32,768 characters and 50 values each, before anything is made of them", () => {
    const row = `{"name":"a","email":"b"}`
    assert.strictEqual(rowsIn(`{"rows":[${Array.from({ length: 5000 }, () => row).join()}]}`).length, 5000)
    const most = "too_many_rows, rows must have at most 5000 items"
    assert.strictEqual(refusal(`{"rows":[${Array.from({ length: 5001 }, () => row).join()}]}`), most)
    assert.strictEqual(refusal(`{"rows":[${"{},".repeat(1_000_000)}`), most)
    assert.strictEqual(refusal(`{"rows":[${row},${"[".repeat(40_000)}`), `validation_failed, rows[1] ${tooMuch}`)
    assert.strictEqual(refusal(`{"rows":["${"x".repeat(32_768)}"]}`), `validation_failed, rows[0] ${tooMuch}`)
    const members = Array.from({ length: 100 }, (_, n) => `"k${n}":0`).join()
    assert.strictEqual(
      refusal(`{"rows":[{${members}},${" ".repeat(32_768)}]}`),
      `validation_failed, rows[0] ${tooMuch}`
    )
    const beside = "validation_failed, rows must be a list, with nothing beside it"
    assert.strictEqual(refusal(`{"x":"${"x".repeat(32_768)}","rows":[${row}]}`), beside)
    assert.strictEqual(refusal(`{"rows":[${row}]${" ".repeat(32_768)}}`), beside)
    assert.strictEqual(refusal(`{${members}}`), beside)
  })
})
