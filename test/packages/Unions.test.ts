import { assert, describe, it } from "@effect/vitest"
import { sortUnions } from "../../packages/Unions.ts"

const endpoint = (name: string, rest = "never") => `HttpApiEndpoint.HttpApiEndpoint<"${name}", ${rest}>`
const group = (name: string, ...endpoints: ReadonlyArray<string>) =>
  `import("effect/http-api/HttpApiGroup").HttpApiGroup<"${name}", ${endpoints.join(" | ")}, false>`

describe("the groups and endpoints of a declaration", () => {
  it("stand in the order of their texts, in each other too", () => {
    const [a, b, c] = [endpoint("a", "(x: string) => A<B>"), endpoint("b", "\">\""), endpoint("c")]
    const [some, other] = [group("some", b, a), group("other", c)]
    assert.strictEqual(
      sortUnions(`declare const Api: Api<${some} | ${other}, ${c}>;\n`),
      `declare const Api: Api<${other} | ${group("some", a, b)}, ${c}>;\n`
    )
  })

  it("are all that is moved", () => {
    const text = `declare const a: B | A | ${endpoint("z")};\ndeclare const b: ${endpoint("a")};\n`
    assert.strictEqual(sortUnions(text), text)
  })
})
