import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { storable } from "../../../../src/assistant/ask/answers/AnswerDraft.ts"
import { eventIdOf, eventsOf, type Position, positionOf } from "../../../../src/assistant/ask/streams/AnswerEvent.ts"
import { shownCitation } from "../../World.ts"

const start: Position = { characters: 0, citations: 0 }

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999_999 }))

/** The text in the events of an answer that came in these parts, from this position on. */
const told = (parts: ReadonlyArray<string>, from: Position) => {
  let position = from
  let heard = ""
  for (let n = 1; n <= parts.length; n++) {
    const whole = Array.from(storable(parts.slice(0, n).join("")))
    const { events, position: next } = eventsOf(position, {
      text: whole.slice(position.characters).join(""),
      citations: []
    })
    for (const event of events) if (event.event === "message.delta") heard += event.data.text
    position = next
  }
  return { heard, position }
}

describe("The events of an answer", () => {
  it.prop("name positions that lead back to where they were", [Count, Count], ([characters, citations]) => {
    assert.deepStrictEqual(positionOf(eventIdOf({ characters, citations })), { characters, citations })
  })

  it.each([undefined, "", "x", "-1", "1.", ".1", "1.5.2", "1e3", "9999999999", " 1"])(
    "begin at the start with the id %j",
    (id) => {
      assert.deepStrictEqual(positionOf(id), start)
    }
  )

  it.prop("tell every character once, in whatever parts it comes", [Schema.Array(Schema.String)], ([parts]) => {
    assert.strictEqual(told(parts, start).heard, storable(parts.join("")))
  }, { arbitrary: { runs: 300 } })

  it.prop("tell the rest to whoever has heard the beginning", [Schema.String, Schema.String], ([first, second]) => {
    const early = told([first], start)
    const late = told([first + second], early.position)
    assert.strictEqual(early.heard + late.heard, storable(first + second))
  }, { arbitrary: { runs: 300 } })

  it("count citations behind the characters", () => {
    const { events, position } = eventsOf({ characters: 3, citations: 1 }, {
      text: "🎸!",
      citations: [shownCitation, shownCitation]
    })
    assert.deepStrictEqual(events.map(({ id }) => id), ["5.1", "5.2", "5.3"])
    assert.deepStrictEqual(position, { characters: 5, citations: 3 })
  })
})
