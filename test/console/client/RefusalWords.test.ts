import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { platforms } from "../../../src/commerce/sales/platform/Platforms.ts"
import { refusals, unspecific } from "../../../src/console/client/RefusalWords.ts"
import { platformWords } from "../../../src/console/views/sales/platforms/platformWords.ts"
import { rowSentence } from "../../../src/console/views/students/imports/rowWords.ts"
import { typeWords } from "../../../src/console/views/webhooks/settings/typeWords.ts"
import { EventType } from "../../../src/events/EventType.ts"
import { ErrorCode, ErrorField, messageOf } from "../../../src/membership/students/import/Problem.ts"
import { document } from "../../harness/Document.ts"

const source = new URL("../../../src/", import.meta.url).pathname

const isOfTheConsole = (path: string) => path.startsWith("console/") || path.startsWith("cli/")

/** Every refusal that the service or its client makes: its status, or that it is the client's own, and its code. */
const made = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !isOfTheConsole(path) && !path.startsWith("sdk/contract/"))
  .flatMap((path) => {
    const text = readFileSync(join(source, path), "utf8")
    return [...text.matchAll(/(?:status: \d{3},\s*|TurmaError\(\{[^}]*?|super\(\{[^}]*?)code: "(\w+)"/g)]
      .map(([, code = ""]) => code)
  })

/** The codes that the contract's errors have. */
const declared = Object.values(document.components.schemas).flatMap((schema) =>
  [...JSON.stringify(schema).matchAll(/"error":\{"type":"object","properties":\{"code":\{[^{}]*"enum":\["(\w+)"\]/g)]
    .map(([, code = ""]) => code)
)

const distinct = (codes: ReadonlyArray<string>) => [...new Set(codes)].toSorted()

describe("What the API says, in Portuguese", () => {
  it("is there for every code that the contract declares", () => {
    assert.isAbove(declared.length, 90)
    assert.deepStrictEqual(distinct(declared).filter((code) => !(code in refusals)), [])
  })

  it("is there for every code that the service and its client make, and for no other", () => {
    assert.deepStrictEqual(distinct(made), distinct(Object.keys(refusals)))
  })

  it("is a sentence, that the API's own follows where the code says too little", () => {
    for (const [code, sentence] of Object.entries(refusals)) {
      assert.match(sentence, unspecific.has(code) ? /^\p{Lu}.+:$/u : /^\p{Lu}.+\.$/u, code)
    }
    for (const code of unspecific) assert.include(Object.keys(refusals), code)
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
