import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  bytesOf,
  missedBy,
  mostRefusals,
  type Outcome,
  type Parts,
  type Ports,
  sendFile,
  waitAfter,
  wholeFile
} from "../../../../src/browser/client/upload/sending.ts"

const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))
const PartSize = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))
const Outcomes = Schema.Array(Schema.Literals(["sent", "offline", "again"])).check(Schema.isMaxLength(40))

/** A storage that names two missing parts at once, and a network on which parts fail as these outcomes say. */
const storageOf = (size: number, part_size: number, outcomes: ReadonlyArray<Outcome> = []) => {
  const part_count = Math.ceil(size / part_size)
  const received = new Set<number>()
  const left = [...outcomes]
  const sent: Array<number> = []
  const told: Array<number> = []
  const rests: Array<readonly [number, boolean]> = []
  const parts = (): Parts => {
    const all = Array.from({ length: part_count }, (_, index) => ({
      number: index + 1,
      offset: index * part_size,
      size_bytes: Math.min(part_size, size - index * part_size),
      url: `https://files.example.com/${index + 1}`
    }))
    const missing = all.filter(({ number }) => !received.has(number)).slice(0, 2)
    return { part_size, part_count, received: [...received], missing }
  }
  const ports: Ports<number> = {
    parts: async () => parts(),
    send: async ({ number, size_bytes }, tell) => {
      sent.push(number)
      tell(size_bytes / 2)
      const outcome = left.shift() ?? "sent"
      if (outcome === "sent") received.add(number)
      return outcome
    },
    complete: async () => received.size,
    rest: async (failures, isOffline) => {
      rests.push([failures, isOffline])
    },
    tell: (bytes) => {
      told.push(bytes)
    }
  }
  return { ports, sent, told, rests, part_count, parts }
}

const isHopeless = (outcomes: ReadonlyArray<Outcome>) => {
  let failures = 0
  for (const outcome of outcomes) {
    failures = outcome === "sent" ? 0 : failures + 1
    if (outcome === "again" && failures > mostRefusals) return true
  }
  return false
}

describe("An upload in parts", () => {
  it.effect.prop(
    "arrives whole however often its parts break",
    [Size, PartSize, Outcomes],
    ([size, part, outcomes]) =>
      Effect.gen(function*() {
        const { part_count, ports, sent, told } = storageOf(size, part, outcomes)
        if (isHopeless(outcomes)) return
        assert.strictEqual(yield* Effect.promise(() => sendFile(ports, size)), part_count)
        assert.strictEqual(told.at(-1), size)
        assert.isTrue(told.every((bytes) => bytes <= size))
        assert.strictEqual(new Set(sent).size, part_count)
      })
  )

  it("counts what is there, the last part with what it has", () => {
    const parts = { part_size: 16, part_count: 3, missing: [] }
    assert.strictEqual(bytesOf({ ...parts, received: [] }, 40), 0)
    assert.strictEqual(bytesOf({ ...parts, received: [1] }, 40), 16)
    assert.strictEqual(bytesOf({ ...parts, received: [1, 3] }, 40), 24)
    assert.strictEqual(bytesOf({ ...parts, received: [1, 2, 3] }, 40), 40)
  })

  it("sends no part again that is there", async () => {
    const { ports, rests, sent } = storageOf(40, 16, ["sent", "offline", "again"])
    await sendFile(ports, 40)
    assert.deepStrictEqual(sent, [1, 2, 2, 2, 3])
    assert.deepStrictEqual(rests, [[1, true], [2, false]])
  })

  it("gives up after many refusals, and never while nothing is reached", async () => {
    const refused = storageOf(40, 16, Array.from({ length: mostRefusals + 1 }, () => "again"))
    assert.strictEqual(await sendFile(refused.ports, 40).catch(String), "Error: refused")
    const offline = storageOf(40, 16, Array.from({ length: 100 }, () => "offline"))
    assert.strictEqual(await sendFile(offline.ports, 40), 3)
  })

  it("asks and confirms again where nothing was reached", async () => {
    const { ports, rests } = storageOf(10, 16)
    let asked = 0
    let confirmed = 0
    const answered = await sendFile({
      ...ports,
      parts: async () => ++asked === 1 ? "offline" : ports.parts(),
      complete: async () => ++confirmed === 1 ? "offline" : 7
    }, 10)
    assert.strictEqual(answered, 7)
    assert.deepStrictEqual(rests, [[1, true], [1, true]])
  })

  it("gives up where the service is at fault again and again, asked or confirmed", async () => {
    const { ports, rests } = storageOf(10, 16)
    assert.strictEqual(await sendFile({ ...ports, parts: async () => "again" }, 10).catch(String), "Error: refused")
    assert.strictEqual(rests.length, mostRefusals)
    assert.strictEqual(await sendFile({ ...ports, complete: async () => "again" }, 10).catch(String), "Error: refused")
  })

  it("takes a gateway's statuses for a break, a fault for a refusal, and all else for the last word", () => {
    assert.deepStrictEqual([undefined, 502, 503, 504].map(missedBy), ["offline", "offline", "offline", "offline"])
    assert.deepStrictEqual([408, 429, 500].map(missedBy), ["again", "again", "again"])
    for (const status of [401, 404, 409, 422, 501, 507]) assert.isUndefined(missedBy(status))
  })

  it("of a storage without parts is the whole file, with the headers of its ticket", async () => {
    const { ports } = storageOf(40, 16)
    const ticket = { url: "https://files.example.com/whole", headers: { "content-type": "image/png" } }
    const sent: Array<unknown> = []
    await sendFile({
      ...ports,
      parts: async () => ({ ...wholeFile(ticket, 40), ...(sent.length > 0 && { received: [1], missing: [] }) }),
      send: async (part) => {
        sent.push(part)
        return "sent"
      }
    }, 40)
    assert.deepStrictEqual(sent, [{ number: 1, offset: 0, size_bytes: 40, ...ticket }])
  })

  it("waits longer each time, half a minute at most", () => {
    assert.deepStrictEqual([1, 2, 3, 5, 6, 50].map(waitAfter), [1000, 2000, 4000, 16_000, 30_000, 30_000])
  })
})
