import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import { playPrefix, playUrl, tokenIn } from "../../../../src/webhooks/workbench/inbox/PlayUrl.ts"
import { hostileUrls } from "./HostileUrls.ts"

const token = "3q2-7wEr5t6yZ8uI9oP0aSdFgHjKlMnBvCxZ1234567"
const api = new URL("https://turma.example/")
const prefix = playPrefix(api)

const isRead = (raw: string, of = prefix) => Option.isSome(tokenIn(raw, of))

describe("The URL of an inbox", () => {
  it("is read as it is written", () => {
    const url = Redacted.value(playUrl(api, Redacted.make(token)))
    assert.strictEqual(url, `https://turma.example/play/${token}`)
    assert.deepStrictEqual(Option.map(tokenIn(url, prefix), Redacted.value), Option.some(token))
  })

  it("is read in no other form", () => {
    assert.deepStrictEqual(hostileUrls(token).filter((raw) => isRead(raw)), [])
  })

  it("is of the public origin alone, whatever that is", () => {
    const local = playPrefix(new URL("http://localhost:3000/x"))
    assert.isTrue(isRead(`http://localhost:3000/play/${token}`, local))
    assert.isFalse(isRead(`http://localhost:3001/play/${token}`, local))
    assert.isFalse(isRead(`http://127.0.0.1:3000/play/${token}`, local))
    assert.isFalse(isRead(`https://localhost:3000/play/${token}`, local))
    assert.isFalse(isRead(`https://turma.example/play/${token}`, local))
  })
})
