import { assert, describe, it } from "@effect/vitest"
import { eventParser, type RawEvent } from "../../src/sdk/streams/EventParser.ts"

const encoder = new TextEncoder()

const parsed = (...parts: ReadonlyArray<string | Uint8Array>): ReadonlyArray<RawEvent> => {
  const parse = eventParser()
  return parts.flatMap((part) => parse(typeof part === "string" ? encoder.encode(part) : part))
}

const text = [
  "\uFEFF: a comment",
  "id: 1",
  "event: message.delta",
  "data: {\"text\":\"ação 😀\"}",
  "",
  "retry: 10",
  ":",
  "id: 2",
  "data:first",
  "data: second",
  "data",
  "data:  two spaces: and: colons",
  "",
  "event: nothing",
  "",
  "data: x",
  "",
  "id: bad\0id",
  "id",
  "data: y",
  "",
  ""
].join("\n")

const events = [
  { id: "1", event: "message.delta", data: "{\"text\":\"ação 😀\"}" },
  { id: "2", event: "message", data: "first\nsecond\n\n two spaces: and: colons" },
  { id: "2", event: "message", data: "x" },
  { id: "", event: "message", data: "y" }
]

describe.each([["LF", "\n"], ["CRLF", "\r\n"], ["CR", "\r"]])("events whose lines end with %s", (_, end) => {
  const bytes = encoder.encode(text.replaceAll("\n", end))

  it("are read", () => {
    assert.deepStrictEqual(parsed(bytes), events)
  })

  it("are the same wherever they are cut in two, and in single bytes", () => {
    for (const place of bytes.keys()) {
      assert.deepStrictEqual(parsed(bytes.subarray(0, place), bytes.subarray(place)), events)
    }
    assert.deepStrictEqual(parsed(...Array.from(bytes, (byte) => Uint8Array.of(byte))), events)
    const withNothing = Array.from(bytes, (byte) => [Uint8Array.of(byte), new Uint8Array()]).flat()
    assert.deepStrictEqual(parsed(...withNothing), events)
  })

  it("are told as soon as they are whole", () => {
    const parse = eventParser()
    assert.deepStrictEqual(parse(encoder.encode(`data: 1${end}`)), [])
    assert.deepStrictEqual(parse(encoder.encode(end)), [{ id: undefined, event: "message", data: "1" }])
  })
})

describe("a stream", () => {
  it("that ends in the middle of an event does not have it", () => {
    assert.deepStrictEqual(parsed("data: 1\n\ndata: 2\n"), [{ id: undefined, event: "message", data: "1" }])
  })

  it.each([
    ["of a line without an end", "a".repeat(1024 * 1024)],
    ["of lines without an event", `data: ${"a".repeat(1024 * 1024)}\n`]
  ])("%s is given up", (_, part) => {
    assert.throws(() => parsed(...Array.from({ length: 6 }, () => part)), /too long/)
  })

  it("of a long line in many small parts takes about as long as of short lines", () => {
    const partsOf = (text: string) =>
      Array.from({ length: text.length / 100 + 1 }, (_, place) => text.slice(place * 100, place * 100 + 100))
    const timed = (text: string) => {
      const start = process.threadCpuUsage()
      const events = parsed(...partsOf(text))
      const { system, user } = process.threadCpuUsage(start)
      return { events, took: user + system }
    }
    const short = timed(`data: ${"a".repeat(90)}\n\n`.repeat(20_000))
    const long = timed(`data: ${"a".repeat(2_000_000)}\n\n`)
    assert.deepStrictEqual([short.events.length, long.events[0]?.data.length], [20_000, 2_000_000])
    // A parser that reads again from the start with each part would take thousands of times as long.
    assert.isBelow(long.took, 20 * short.took)
  })

  it("of many events is read in full", () => {
    const part = `data: ${"a".repeat(1024 * 1024)}\n\n`
    assert.strictEqual(parsed(...Array.from({ length: 12 }, () => part)).length, 12)
  })
})
