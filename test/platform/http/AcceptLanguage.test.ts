import { assert, describe, it } from "@effect/vitest"
import { preferredLocale } from "../../../src/platform/http/AcceptLanguage.ts"

describe("the language that a browser asks for", () => {
  it.each([
    ["pt-BR", "pt-BR"],
    ["pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7", "pt-BR"],
    ["en-US,en;q=0.9,pt-BR;q=0.8", "en"],
    ["fr, pt-PT;q=0.5", "pt-BR"],
    ["en;q=0.1, pt;q=0.2", "pt-BR"],
    ["en ; q=0.5 , PT ; q=0.6", "pt-BR"],
    ["pt;q=0, fr", "en"],
    ["pt;q=nonsense", "en"],
    ["de-DE, *;q=0.5", "en"],
    ["ptx", "en"],
    ["", "en"],
    [undefined, "en"]
  ])("%s is %s", (header, locale) => {
    assert.strictEqual(preferredLocale(header), locale)
  })

  it("is in the first 500 characters: no caller makes the process read more of them", () => {
    assert.strictEqual(preferredLocale(`${",".repeat(490)}pt`), "pt-BR")
    assert.strictEqual(preferredLocale(`${",".repeat(500)}pt`), "en")
  })
})
