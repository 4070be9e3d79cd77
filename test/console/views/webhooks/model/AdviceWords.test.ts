import { assert, describe, it } from "@effect/vitest"
import { type Advice, adviceSentence } from "../../../../../src/console/views/webhooks/model/AdviceWords.ts"
import type { Telling } from "../../../../../src/console/views/webhooks/model/Telling.ts"
import { WebhookAdvice } from "../../../../../src/webhooks/endpoint/causes/Advice.ts"

const abouts = WebhookAdvice.fields.about.literals

const told = (
  about: Advice["about"],
  language: Telling["language"],
  previous_secret_expires_at: string | null = "2026-08-15T12:00:00.000Z"
) =>
  adviceSentence({ about, sentence: "In English." }, { previous_secret_expires_at }, {
    language,
    time: (timestamp) => `(${timestamp.slice(0, 10)})`
  })

describe("What there is to do about an endpoint", () => {
  it("is said in English as the API does", () => {
    for (const about of abouts) assert.strictEqual(told(about, "en"), "In English.")
  })

  it("is said in Portuguese in words of its own, in whole sentences", () => {
    const sentences = abouts.map((about) => told(about, "pt-BR"))
    assert.lengthOf(new Set(sentences), abouts.length)
    for (const sentence of sentences) {
      assert.match(sentence, /^\p{Lu}.{8,}\.$/u)
      assert.notMatch(sentence, /In English|undefined|null| {2}|\.\./)
    }
  })

  it("says until when a replaced secret signs, where that is known", () => {
    assert.match(told("secret_ends", "pt-BR"), /^Um segredo substituído ainda assina até \(2026-08-15\); depois, /)
    assert.match(told("secret_ends", "pt-BR", null), /^Um segredo substituído ainda assina; depois, /)
  })
})
