import { assert, describe, it } from "@effect/vitest"
import { wishFor } from "../../../src/browser/client/Wishes.ts"

/** A service that answers when the test says so, and the news about the wishes for one thing. */
const service = (thing: string) => {
  const news: Array<string> = []
  const answers: Array<PromiseWithResolvers<void>> = []
  const wish = (isGiven: boolean) =>
    void wishFor(thing, {
      isGiven,
      send: (isNow) => {
        news.push(isNow ? "give" : "take back")
        const answer = Promise.withResolvers<void>()
        answers.push(answer)
        return answer.promise
      },
      done: (isNow) => news.push(`done: ${isNow}`),
      failed: (isNow, thrown) => news.push(`failed: ${isNow}, ${String(thrown)}`)
    })
  const after = (answer: (given: PromiseWithResolvers<void>) => void) => {
    const next = answers.shift()
    assert.isDefined(next)
    answer(next)
    // All that follows the answer is there by the next task.
    return new Promise((done) => setImmediate(done))
  }
  return {
    news,
    wish,
    answered: () => after(({ resolve }) => resolve()),
    refused: () => after(({ reject }) => reject("no"))
  }
}

describe("A thing that somebody gives and takes back", () => {
  it("is asked for once at a time, and then as it was wished last", async () => {
    const { answered, news, wish } = service("last")
    wish(true)
    wish(false)
    wish(true)
    wish(false)
    assert.deepStrictEqual(news, ["give"])
    await answered()
    assert.deepStrictEqual(news, ["give", "take back"])
    await answered()
    assert.deepStrictEqual(news, ["give", "take back", "done: false"])
  })

  it("is asked for no second time if it was wished so again", async () => {
    const { answered, news, wish } = service("again")
    wish(true)
    wish(false)
    wish(true)
    await answered()
    assert.deepStrictEqual(news, ["give", "done: true"])
  })

  it("is as the service has it if the last wish is refused", async () => {
    const { answered, news, refused, wish } = service("refused")
    wish(true)
    wish(false)
    await answered()
    await refused()
    assert.deepStrictEqual(news, ["give", "take back", "failed: true, no"])
    wish(true)
    await refused()
    assert.deepStrictEqual(news.slice(3), ["give", "failed: false, no"])
  })

  it("waits for no other thing", () => {
    const [one, other] = [service("one"), service("other")]
    one.wish(true)
    other.wish(true)
    assert.deepStrictEqual([one.news, other.news], [["give"], ["give"]])
  })
})
