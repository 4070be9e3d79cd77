import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ownRefusals, withoutField } from "../../../src/browser/client/RefusalWords.ts"
import { platforms } from "../../../src/commerce/sales/platform/Platforms.ts"
import { platformWords } from "../../../src/console/views/sales/platforms/platformWords.ts"
import { rowSentence } from "../../../src/console/views/students/imports/rowWords.ts"
import { typeWords } from "../../../src/console/views/webhooks/settings/typeWords.ts"
import { EventType } from "../../../src/events/EventType.ts"
import { ErrorCode, ErrorField, messageOf } from "../../../src/membership/students/import/Problem.ts"

const client = new URL("../../../src/sdk/", import.meta.url).pathname

/** The codes of the failures that the API client itself makes. */
const made = readdirSync(client, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.startsWith("contract/"))
  .flatMap((path) => {
    const text = readFileSync(join(client, path), "utf8")
    return [...text.matchAll(/(?:TurmaError\(\{[^}]*?|super\(\{[^}]*?)code: "(\w+)"/g)].map(([, code = ""]) => code)
  })

describe("What the API does not say, in Portuguese", () => {
  it("is there for every code that the client makes, and for no other", () => {
    assert.deepStrictEqual([...new Set(made)].toSorted(), Object.keys(ownRefusals).toSorted())
    for (const sentence of Object.values(ownRefusals)) assert.match(sentence, /^\p{Lu}.+\.$/u)
  })

  it("leaves out the API's name of a field, and nothing else", () => {
    assert.strictEqual(withoutField("url: A URL precisa ser https."), "A URL precisa ser https.")
    assert.strictEqual(withoutField("O fim precisa vir depois: mude-o."), "O fim precisa vir depois: mude-o.")
  })

  it("is there for every type of events", () => {
    assert.deepStrictEqual(Object.keys(typeWords).toSorted(), [...EventType.literals].toSorted())
  })

  it("has as many steps for each sales platform as the API", () => {
    for (const { key, setup_steps } of platforms) {
      assert.strictEqual(platformWords[key]?.setup_steps.length, setup_steps.length, key)
    }
    assert.strictEqual(Object.keys(platformWords).length, platforms.length)
  })

  it("is there for whatever the API has a sentence for that is wrong with a row of an import", () => {
    for (const field of ErrorField.literals) {
      for (const code of ErrorCode.literals) {
        const isKnown = !messageOf({ field, code }).endsWith(`is not right: ${code}`)
        assert.strictEqual(rowSentence(field, code) !== undefined, isKnown, `${field} ${code}`)
      }
    }
  })
})
