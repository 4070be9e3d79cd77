import { assert, describe, it } from "@effect/vitest"
import {
  lengthOf,
  type Outage,
  outageSentence
} from "../../../../../src/console/views/webhooks/model/OutageSentence.ts"
import type { SentenceContext } from "../../../../../src/console/views/webhooks/model/SentenceContext.ts"

const at = (hour: number) => new Date(Date.UTC(2026, 3, 1, hour)).toISOString()

const sentenceContext = (language: SentenceContext["language"] = "en"): SentenceContext => ({
  language,
  moment: (timestamp) => timestamp,
  time: (timestamp) => `(${timestamp.slice(11, 13)} h)`,
  number: String,
  now: 0
})

const outage: Outage = {
  events: 72,
  delivered: 72,
  failed: 0,
  canceled: 0,
  expired: 0,
  not_kept: 0,
  delayed_after: 0,
  attempts: 80,
  last_delivered_at: at(16),
  delay: { p50_seconds: 3600, p95_seconds: 7200, max_seconds: 12_000 },
  held_from: null,
  held_until: null,
  disabled_at: null,
  landings: [],
  sample: []
}

const told = (more: Partial<Outage>, language?: SentenceContext["language"]) =>
  outageSentence({ ...outage, ...more }, sentenceContext(language))

describe("What becomes of the events of an outage", () => {
  it("names all that are delivered, with the last and the slowest", () => {
    assert.strictEqual(told({}), "All 72 events are delivered, the last (16 h); each takes 3 h 20 min at most.")
    assert.strictEqual(told({ events: 1, delivered: 1 }), "The event is delivered (16 h), 3 h 20 min after it came.")
    assert.strictEqual(told({ events: 0, delivered: 0 }), "The outage has no events.")
  })

  it("names a hold, and what waits although it comes after the outage", () => {
    const text = told({ held_from: at(9), held_until: at(16), delayed_after: 3 })
    assert.include(text, "From (09 h) until (16 h), one attempt at a time is sent.")
    assert.include(text, "3 that come after it wait, too.")
  })

  it("names an endpoint that is disabled, with what can be recovered and what was not kept", () => {
    const lost = { delivered: 0, last_delivered_at: null, disabled_at: at(12), failed: 10, canceled: 50, not_kept: 12 }
    assert.strictEqual(
      told(lost),
      "Not one of 72 events is delivered by itself. The endpoint is disabled (12 h). 60 can be recovered once the endpoint " +
        "is enabled. 12 come after it is disabled, and are not kept for it."
    )
  })

  it("is told in whole sentences, in both languages", () => {
    for (const language of ["en", "pt-BR"] as const) {
      for (const delivered of [0, 1, 71, 72]) {
        const text = told({ delivered, expired: 72 - delivered, held_from: at(9), held_until: at(10) }, language)
        assert.match(text, /^[\p{Lu}\d].{8,}\.$/su)
        assert.notMatch(text, /undefined|null|NaN| {2}|\.\./)
      }
    }
  })

  it.each([
    [0, "0 s"],
    [40, "40 s"],
    [60, "1 min"],
    [725, "12 min 5 s"],
    [3600, "1 h"],
    [12_000, "3 h 20 min"],
    [187_200, "2 d 4 h"]
  ] as const)("takes %d seconds: %s", (seconds, text) => {
    assert.strictEqual(lengthOf(seconds), text)
  })
})
