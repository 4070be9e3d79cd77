import { assert, describe, it } from "@effect/vitest"
import { namePrefix } from "../../../../src/conversation/community/people/NamePrefix.ts"

describe("The beginning of a name", () => {
  it.each([
    ["ri", "% ri%"],
    ["  Ana   Souza ", "% ana souza%"],
    ["Étienne", "% etienne%"],
    ["d'Ávila", "% d avila%"],
    ["Maria-Cl", "% maria cl%"],
    ["50%_\\", "% 50\\%\\_\\\\%"],
    ["％％", "% \\%\\%%"]
  ])("%s is looked for as %s", (text, pattern) => {
    assert.strictEqual(namePrefix(text)?.pattern, pattern)
  })

  it.each(["  ", "--", "' '"])("is not in %j", (text) => {
    assert.isUndefined(namePrefix(text))
  })

  it("is found by trigrams of its words, or by the beginning of the first word if all are shorter", () => {
    assert.deepStrictEqual(namePrefix("Rita")?.candidates, [["%rita%", "%rita%"]])
    assert.deepStrictEqual(namePrefix("ri lee jo")?.candidates, [["%lee%", "%lee%"]])
    assert.deepStrictEqual(namePrefix("Ana Bea")?.candidates, [["%ana%", "%ana%"], ["%bea%", "%bea%"]])
    assert.deepStrictEqual(namePrefix("ri l")?.candidates, [["ri%", "% ri%"]])
    assert.deepStrictEqual(namePrefix("学校")?.candidates, [["学校%", "% 学校%"]])
  })
})
