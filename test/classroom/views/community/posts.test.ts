import { assert, it } from "@effect/vitest"
import { plainText } from "../../../../src/classroom/views/community/posts.ts"

it("A post in a list shows its words without the marks of Markdown", () => {
  const cases = [
    ["Toquei **duas** _semanas_ `sol`!", "Toquei duas semanas sol!"],
    ["# Título\n\n- um\n- dois\n> três", "Título um dois três"],
    ["Veja [este vídeo](https://example.com) e ![foto](media:1)", "Veja este vídeo e foto"],
    ["2 * 3 * 4 e snake_case", "2 * 3 * 4 e snake_case"],
    ["<b>Oi</b>", "<b>Oi</b>"]
  ] as const
  for (const [text, plain] of cases) assert.strictEqual(plainText(text), plain)
})
