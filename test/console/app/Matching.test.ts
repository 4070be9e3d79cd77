import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { keysOf, matching } from "../../../src/console/app/Matching.ts"

const labels = ["Webhooks", "Visão geral", "Gamificação", "Criar um clube", "Sua conta", "Clube", "الصف 🎸"]
const all = labels.map((label) => ({ label }))
const found = (text: string) => matching(all, text).map(({ label }) => label)

describe("A few letters", () => {
  it("mean everything where there are none", () => {
    assert.deepStrictEqual(found("  "), labels)
  })

  it("mean a name's beginning first, then a word's, then a part, then letters in this order", () => {
    assert.deepStrictEqual(found("clube"), ["Clube", "Criar um clube"])
    assert.deepStrictEqual(found("con"), ["Sua conta"])
    assert.deepStrictEqual(found("wbk"), ["Webhooks"])
    assert.deepStrictEqual(found("zzz"), [])
  })

  it("mean the same with and without accents and capitals, on both sides", () => {
    assert.deepStrictEqual(found("VISAO"), ["Visão geral"])
    assert.deepStrictEqual(found("gamificação"), ["Gamificação"])
    assert.deepStrictEqual(found("الصف"), ["الصف 🎸"])
    assert.deepStrictEqual(found("🎸"), ["الصف 🎸"])
  })

  it.prop("find each name by itself and by any of its parts, and nothing that is not there", [
    Schema.String.check(Schema.isMaxLength(30)),
    Schema.String.check(Schema.isMaxLength(5))
  ], ([label, text]) => {
    const one = [{ label }]
    assert.deepStrictEqual(matching(one, label), one)
    assert.deepStrictEqual(matching(one, label.slice(1, 4)).length, 1)
    assert.isAtMost(matching(one, text).length, 1)
  })
})

describe("Commands", () => {
  it("are told apart wherever they stand, though they are called the same", () => {
    const keys = keysOf(["Flauta", "Violino", "Flauta"].map((label) => ({ label })))
    assert.strictEqual(new Set(keys).size, 3)
    assert.deepStrictEqual(keysOf(["Sair", "Violino"].map((label) => ({ label }))).slice(1), keys.slice(1, 2))
  })
})
