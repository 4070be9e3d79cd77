import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { secondsAt } from "../../../src/assistant/material/search/SpokenAt.ts"
import { longestSnippet } from "../../../src/assistant/search/SearchHit.ts"
import { placeOf, snippetOf } from "../../../src/assistant/search/Snippet.ts"

const long = Array.from({ length: 80 }, (_, n) => n === 50 ? "RESPIRAÇÃO" : `palavra${n}`).join(" ")

describe("A snippet", () => {
  it.prop("is plain text of one line that is short enough, whatever the text", [Schema.String, Schema.String], (
    [text, word]
  ) => {
    const snippet = snippetOf(`${text} ${long}`, [word])
    assert.isAtMost([...snippet].length, longestSnippet)
    assert.notMatch(snippet, /\n|\s{2}/)
  })

  it("is the whole text if that is short", () => {
    assert.strictEqual(snippetOf("Respire\n\n fundo. ", ["fundo"]), "Respire fundo.")
  })

  it("is around the word, in any of its forms, and begins and ends with whole words", () => {
    const snippet = snippetOf(long, ["respiracoes"])
    assert.match(snippet, /^…palavra\d\d .* RESPIRAÇÃO .* palavra\d\d…$/)
  })

  it("is the beginning without the word", () => {
    assert.match(snippetOf(long, ["zebra"]), /^palavra0 .*palavra\d\d…$/)
  })

  it("omits the numbers and times of subtitles", () => {
    const subtitles = "1\n00:00:01,000 --> 00:00:03,000\nRespire fundo.\n\n2\n00:00:04,000 --> 00:00:06,000\nSolte."
    assert.strictEqual(snippetOf(subtitles, ["fundo"]), "Respire fundo. Solte.")
  })
})

describe("The place of a word", () => {
  it.each([
    ["Um ritmo.", "ritmo", 3],
    ["Dois ritmos.", "ritmo", 5],
    ["É ÚNICO", "unico", 2],
    ["Um rito", "ritmo", undefined],
    ["", "a", undefined]
  ])("in %j of %s is %s", (text, word, place) => {
    assert.strictEqual(placeOf(text, [word]), place)
  })
})

describe("The second of a transcript", () => {
  it.each([
    ["[00:05] Oi\n[01:35] Agora\n[02:00] Fim", "Agora", 95],
    ["1:02:03 Longe", "Longe", 3723],
    ["00:00:01,000 --> 00:00:03,000\nRespire", "Respire", 1],
    ["Antes\n0:30 Depois", "Antes", null],
    ["São 10:45 agora", "agora", null]
  ])("in %j of %s is %s", (text, word, seconds) => {
    assert.strictEqual(secondsAt(text, text.indexOf(word)), seconds)
  })
})
