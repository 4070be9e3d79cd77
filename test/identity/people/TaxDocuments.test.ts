import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  maskedDocument,
  withoutDocuments,
  withoutDocumentsIn,
  withoutDocumentsInBody
} from "../../../src/identity/people/TaxDocuments.ts"

// By the rules of Receita Federal, in the form of its own examples.
const weighted = (signs: string, weights: ReadonlyArray<number>) => {
  const rest = [...signs].reduce((sum, sign, index) => sum + (sign.charCodeAt(0) - 48) * (weights[index] ?? 0), 0) % 11
  return `${signs}${rest < 2 ? 0 : 11 - rest}`
}
const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index)
const cpf = (nine: string) => weighted(weighted(nine, down(10, 9)), down(11, 10))
const cnpj = (twelve: string) =>
  weighted(
    weighted(twelve, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]),
    [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
  )

const digits = (count: number) => Schema.String.check(Schema.isPattern(new RegExp(`^\\d{${count}}$`)))

const spellings = (document: string) => {
  const [a, b, c, d] = [document.slice(0, 3), document.slice(3, 6), document.slice(6, 9), document.slice(9)]
  if (document.length === 11) return [document, `${a}.${b}.${c}-${d}`, `${a} ${b} ${c} ${d}`, `${a}${b}${c}-${d}`]
  const [e, f, g, h, i] = [0, 2, 5, 8, 12].map((from, index) => document.slice(from, [2, 5, 8, 12, 14][index]))
  return [document, `${e}.${f}.${g}/${h}-${i}`, `${e} ${f} ${g} ${h} ${i}`, `${e}${f}${g}/${h}-${i}`]
}

const wide = (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))

describe("A tax document", () => {
  it.prop("is masked in any text, however it is spelled", [digits(9), digits(12)], ([nine, twelve]) => {
    for (const spelled of [...spellings(cpf(nine)), ...spellings(cnpj(twelve))].flatMap((one) => [one, wide(one)])) {
      for (const [before, after] of [["", ""], ["CPF ", "."], ["CPF:", ";x"], ["cpf=", "&a=b"], ["Ana ", " Lima"]]) {
        assert.strictEqual(withoutDocuments(`${before}${spelled}${after}`), `${before}${maskedDocument}${after}`)
      }
    }
  })

  it.each(["12.ABC.345/01DE-35", "12ABC34501DE35"])("may have letters: %s", (document) => {
    assert.strictEqual(withoutDocuments(`CNPJ ${document}!`), `CNPJ ${maskedDocument}!`)
  })

  it.each([
    "11987654321",
    "(11) 98765-4321",
    "+55 11 98765-4321",
    "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
    "2026-11-28T14:09:16.123Z",
    "1763247745737",
    "HP16015479281022",
    "R$ 1.234.567,89",
    "123456789012345678",
    "pi_3PqABCDEFGHIJKLMNOPQRSTU"
  ])("is none of %s", (text) => {
    assert.strictEqual(withoutDocuments(text), text)
  })

  it("is masked in a body by the name of its field, whatever it is", () => {
    const body = {
      buyer: { document: "MG-1", documentType: "RG", name: "Bia" },
      customer: { CPF: 1_234, taxIds: [{ type: "br_cpf", value: "a" }], doc: "b", rg: 7, tax_id: "", docs: null }
    }
    assert.deepStrictEqual(withoutDocumentsIn(body), {
      buyer: { document: "***", documentType: "***", name: "Bia" },
      customer: {
        CPF: "***",
        taxIds: [{ type: "***", value: "***" }],
        doc: "***",
        rg: "***",
        tax_id: "",
        docs: null
      }
    })
  })

  it("is masked in a body by its shape, at any depth, in names of fields and as a number", () => {
    const body = {
      note: "Nota para 111.222.333-44 e 11122233344",
      list: [[{ a: 11_122_233_344, b: 12_345_678_000_199 }]],
      json: JSON.stringify({ value: "11122233344" }),
      "11122233344": true
    }
    assert.deepStrictEqual(withoutDocumentsIn(body), {
      note: "Nota para *** e ***",
      list: [[{ a: "***", b: "***" }]],
      json: `{"value":"***"}`,
      "***": true
    })
  })

  it("leaves the rest of a body as it was", () => {
    const body = {
      id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
      creation_date: 1_763_247_745_737,
      transaction: "HP16015479281022",
      price: { value: 97.5, cents: 9_750, currency_value: "BRL" },
      none: null,
      paid: true
    }
    assert.deepStrictEqual(withoutDocumentsIn(body), body)
  })

  it.each([
    [`{ "rg": "1234567", "n": 1.0 }`, `{"rg":"***","n":1}`],
    [`{ "name": "Bia", "n": 1.0 }`, `{ "name": "Bia", "n": 1.0 }`],
    [`{"document":"11122233344`, `{"document":"***`],
    [`{"a":"529.982.247-25","a":1}`, `{"a":1}`],
    ["document=11122233344&name=Bia", "document=***&name=Bia"],
    ["?rg=1234567&at=cnpj+11.222.333%2F0001-81&n=1%2F2", "?rg=***&at=***&n=1%2F2"],
    ["a=1&rg&&rg=12&=11122233344&b=", "a=1&rg&&rg=***&=***&b="],
    ["?a=1&?&rg=12&?rg=1", "?a=1&?&rg=***&?rg=***"],
    ["[".repeat(200), "[".repeat(200)]
  ])("is masked in what somebody sent, JSON or not: %s", (sent, shown) => {
    assert.strictEqual(withoutDocumentsInBody(sent), shown)
  })
})
