import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Redacted, Result, Schema } from "effect"
import { CohortId, DeliveryId } from "../../../../src/membership/catalog/Delivery.ts"
import { checkRow, chunksOf, type RawRow } from "../../../../src/membership/students/import/CheckedRow.ts"
import { deliveryLookup } from "../../../../src/membership/students/import/DeliveryLookup.ts"
import { expiryOf } from "../../../../src/membership/students/import/Expiry.ts"
import { messageOf } from "../../../../src/membership/students/import/Problem.ts"

const id = (n: number) => `0190a000-0000-7000-8000-00000000000${n}`
const cohort = (n: number, name: string) => ({ id: CohortId.make(id(n)), name })

const deliveries = deliveryLookup([
  { id: DeliveryId.make(id(1)), name: "Violão do Zero", cohorts: [cohort(5, "Março"), cohort(6, "Abril")] },
  { id: DeliveryId.make(id(2)), name: "Harmonia", cohorts: [cohort(7, "A"), cohort(8, "a")] },
  { id: DeliveryId.make(id(3)), name: "Ritmo", cohorts: [] },
  { id: DeliveryId.make(id(4)), name: "RITMO", cohorts: [] }
])

interface Given extends Partial<Omit<RawRow, "document">> {
  readonly document?: string
}

const check = ({ document = "", ...given }: Given) =>
  checkRow({
    line: 7,
    name: "Ana",
    email: "ana@example.com",
    document: Redacted.make(document),
    delivery: "",
    cohort: "",
    expires_at: "",
    fault: null,
    ...given
  }, { deliveries, timeZone: "America/Sao_Paulo" })

const checked = (given: Given) => Result.getOrThrow(check(given))

const problems = (given: Given) => {
  const result = check(given)
  return Result.isFailure(result) ? result.failure.map(({ code, field, line }) => `${line} ${field} ${code}`) : []
}

describe("A row", () => {
  it("is a student, and nothing more where nothing more is named", () => {
    assert.deepStrictEqual(checked({ name: " Ana Lima ", email: " Ana@Example.COM " }), {
      line: 7,
      name: "Ana Lima",
      email: "ana@example.com",
      document: null,
      delivery_id: null,
      cohort_id: null,
      expires_at: null
    })
  })

  it("is the same person in every spelling of the address", () => {
    const spellings = ["ana@M\u00fcnchen.de", "ana@mu\u0308nchen.de", "\uff41na@XN--MNCHEN-3YA.de"]
    assert.deepStrictEqual(
      spellings.map((email) => checked({ email }).email),
      spellings.map(() => "ana@xn--mnchen-3ya.de")
    )
  })

  it("needs a name in which there is something to see, and an address in which nothing is hidden", () => {
    assert.deepStrictEqual(problems({ name: "\u3164\u200b", email: "an\u200ba@example.com" }), [
      "7 name required",
      "7 email invalid"
    ])
  })

  it("keeps its document out of sight", () => {
    const row = checked({ document: " 123.456.789-09 " })
    assert.notInclude(JSON.stringify(row), "123")
    assert.strictEqual(row.document === null ? null : Redacted.value(row.document), "123.456.789-09")
  })

  it.each([
    ["Violão do Zero", "março", 1, 5],
    ["VIOLAO DO ZERO", "ABRIL", 1, 6],
    [" violão do zero ", id(6), 1, 6],
    [id(2), "", 2, null],
    [id(2).toUpperCase(), id(8).toUpperCase(), 2, 8],
    [id(4), "", 4, null]
  ])("names a delivery and a cohort by id or by name, without case and accents: %s, %s", (delivery, cohort, d, c) => {
    const { cohort_id, delivery_id } = checked({ delivery, cohort })
    assert.deepStrictEqual<unknown>([delivery_id, cohort_id], [id(d), c === null ? null : id(c)])
  })

  it.each<[Given, ReadonlyArray<string>]>([
    [{ name: "" }, ["7 name required"]],
    [{ name: " \t " }, ["7 name required"]],
    [{ name: "a".repeat(201) }, ["7 name invalid"]],
    [{ name: "a\u0000b" }, ["7 name invalid"]],
    [{ email: "" }, ["7 email required"]],
    [{ email: "ana" }, ["7 email invalid"]],
    [{ email: "ana@example.com, bia@example.com" }, ["7 email invalid"]],
    [{ email: `${"a".repeat(320)}@example.com` }, ["7 email invalid"]],
    [{ document: "1".repeat(33) }, ["7 document invalid"]],
    [{ document: "12" }, ["7 document invalid"]],
    [{ delivery: "Piano" }, ["7 delivery unknown"]],
    [{ delivery: id(9) }, ["7 delivery unknown"]],
    [{ delivery: "ritmo" }, ["7 delivery ambiguous"]],
    [{ delivery: "Ritmo", cohort: "Março" }, ["7 delivery ambiguous"]],
    [{ cohort: "Março" }, ["7 delivery required"]],
    [{ expires_at: "2026-12-31" }, ["7 delivery required"]],
    [{ delivery: "Harmonia", cohort: "Março" }, ["7 cohort unknown"]],
    [{ delivery: "Harmonia", cohort: id(5) }, ["7 cohort unknown"]],
    [{ delivery: "Harmonia", cohort: "A" }, ["7 cohort ambiguous"]],
    [{ delivery: "Harmonia", expires_at: "31/02/2026" }, ["7 expires_at invalid"]],
    [{ fault: "too_many_cells" }, ["7 row too_many_cells"]],
    [{ fault: "too_many_cells", email: "x" }, ["7 row too_many_cells", "7 email invalid"]],
    [{ fault: "quotes", name: "", email: "" }, ["7 row quotes"]],
    [{ fault: "encoding", name: "", email: "" }, ["7 row encoding"]],
    [{ document: "1,23457E+10" }, ["7 document scientific_notation"]],
    [{ document: " 1.23457e+10 " }, ["7 document scientific_notation"]],
    [{ document: "1E10" }, ["7 document scientific_notation"]],
    [{ name: "", email: "x", delivery: "?", expires_at: "soon" }, [
      "7 name required",
      "7 email invalid",
      "7 delivery unknown",
      "7 expires_at invalid"
    ]]
  ])("is refused with everything that is wrong with it: %j", (given, expected) => {
    assert.deepStrictEqual(problems(given), expected)
  })

  it.prop(
    "is told what is wrong without what stands there",
    { name: Schema.String, email: Schema.String, delivery: Schema.String, expires_at: Schema.String },
    (given) => {
      const result = check(given)
      const told = Result.isFailure(result) ? result.failure : []
      for (const problem of told) {
        assert.hasAllKeys(problem, ["line", "field", "code"])
        assert.match(messageOf(problem), /^(The row|\w+ (?:is|must|has)) /)
      }
    }
  )
})

describe("The end of an access", () => {
  const end = (text: string, timeZone = "America/Sao_Paulo") =>
    Option.getOrNull(Option.map(expiryOf(text, timeZone), DateTime.formatIso))

  it.each([
    ["2026-12-31", "2027-01-01T02:59:59.999Z"],
    ["31/12/2026", "2027-01-01T02:59:59.999Z"],
    ["1/2/2027", "2027-02-02T02:59:59.999Z"],
    ["29/02/2028", "2028-03-01T02:59:59.999Z"],
    ["2026-12-31T12:00:00Z", "2026-12-31T12:00:00.000Z"],
    ["2026-12-31T12:00:00.5-03:00", "2026-12-31T15:00:00.500Z"],
    ["31/12/9999", "9999-12-31T23:59:59.999Z"]
  ])("is the end of a day in the club's time zone, or a point in time: %s", (text, expected) => {
    assert.strictEqual(end(text), expected)
  })

  it("is the end of the day that the club has, where clocks change at midnight too", () => {
    assert.strictEqual(end("2026-12-31", "UTC"), "2026-12-31T23:59:59.999Z")
    assert.strictEqual(end("2018-11-03"), "2018-11-04T02:59:59.999Z")
    assert.strictEqual(end("2018-11-04"), "2018-11-05T01:59:59.999Z")
    // The last hour of these days occurred twice.
    assert.strictEqual(end("2018-02-17"), "2018-02-18T02:59:59.999Z")
    assert.strictEqual(end("2027-04-03", "America/Santiago"), "2027-04-04T03:59:59.999Z")
  })

  it.each(["31/02/2026", "2026-02-30", "13/13/2026", "12/31/2026", "31/12/26", "2026-12-31 12:00", "46022", "amanhã"])(
    "is none: %s",
    (text) => {
      assert.isNull(end(text))
    }
  )
})

describe("The pieces of a list", () => {
  const Rows = Schema.Array(Schema.Struct({ email: Schema.Literals(["a", "b", "c", "d", "e", "f"]), n: Schema.Int }))

  it.prop("hold every row once, those of an address together and in their order", { rows: Rows }, ({ rows }) => {
    const chunks = chunksOf(rows, 3)
    assert.sameMembers(chunks.flat(), [...rows])
    for (const email of new Set(rows.map(({ email }) => email))) {
      const holding = chunks.filter((chunk) => chunk.some((row) => row.email === email))
      assert.strictEqual(holding.length, 1)
      assert.deepStrictEqual(
        holding.flat().filter((row) => row.email === email),
        rows.filter((row) => row.email === email)
      )
    }
    for (const chunk of chunks.slice(0, -1)) assert.isAtLeast(chunk.length, 3)
  })
})
