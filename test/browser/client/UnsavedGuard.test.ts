import { assert, describe, it } from "@effect/vitest"
import { makeUnsavedGuard } from "../../../src/browser/client/UnsavedGuard.ts"

/** Keepers of a page, and the news about them so far. The test answers each keeper by its name. */
const page = () => {
  const unsavedGuard = makeUnsavedGuard()
  const news: Array<string> = []
  const answers = new Map<string, () => void>()
  return {
    keep: (name: string) =>
      unsavedGuard.add((leave) => {
        news.push(name)
        answers.set(name, leave)
      }),
    leave: () => unsavedGuard.ask(() => news.push("left")),
    letGo: (name: string) => answers.get(name)?.(),
    isEmpty: unsavedGuard.isEmpty,
    news
  }
}

describe("A page that somebody keeps", () => {
  it("is left once the last who came has said so, and nobody else is asked", () => {
    const { isEmpty, keep, leave, letGo, news } = page()
    keep("older")
    keep("newer")
    leave()
    assert.deepStrictEqual(news, ["newer"])
    assert.isFalse(isEmpty())
    letGo("newer")
    assert.deepStrictEqual(news, ["newer", "left"])
    assert.isTrue(isEmpty())
    leave()
    assert.deepStrictEqual(news, ["newer", "left", "left"])
  })

  it("is kept by who was there before, when who came later ends", () => {
    const { isEmpty, keep, leave, news } = page()
    const endOlder = keep("older")
    const endNewer = keep("newer")
    endNewer()
    leave()
    assert.deepStrictEqual(news, ["older"])
    endOlder()
    assert.isTrue(isEmpty())
    leave()
    assert.deepStrictEqual(news, ["older", "left"])
  })
})
