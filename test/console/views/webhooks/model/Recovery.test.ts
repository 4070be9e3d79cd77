import { assert, describe, it } from "@effect/vitest"
import {
  doneOf,
  type Recovery,
  recoverySentence,
  recoverySince
} from "../../../../../src/console/views/webhooks/model/Recovery.ts"
import type { SentenceContext } from "../../../../../src/console/views/webhooks/model/SentenceContext.ts"

const opened = Date.UTC(2026, 7, 31, 12)
const minute = 60_000

const sentenceContext = (language: SentenceContext["language"] = "en"): SentenceContext => ({
  language,
  moment: (timestamp) => timestamp,
  time: (timestamp) => timestamp,
  number: String,
  now: 0
})

const nothing = { moved: 0, waiting: 0, succeeded: 0, failed: 0, canceled: 0, remaining: 0, skipped: 0 }

const recovery = (
  status: Recovery["status"],
  { progress, total = 10, ...more }:
    & Partial<Omit<Recovery, "progress">>
    & { readonly total?: number; readonly progress?: Partial<Recovery["progress"]> } = {}
): Recovery => ({
  id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
  endpoint_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a05",
  status,
  cancel_reason: null,
  blocked_by: null,
  since: "2026-08-01T12:00:00.000Z",
  until: null,
  event_types: null,
  order: "oldest",
  rate: null,
  preview: {
    total,
    failed: total,
    endpoint_disabled: 0,
    by_type: [],
    by_day: [],
    left_out: { student_removed: 0, expired: 0, payload_purged: 0 }
  },
  created_by: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a06",
  created_at: "2026-08-31T12:00:00.000Z",
  started_at: null,
  finished_at: null,
  ...more,
  progress: { ...nothing, ...progress }
})

const told = (...given: Parameters<typeof recovery>) => recoverySentence(recovery(...given), sentenceContext())

describe("A recovery", () => {
  it("reaches back from when it was asked for", () => {
    assert.strictEqual(recoverySince(24, opened, opened + 20 * minute), "2026-08-30T12:00:00.000Z")
  })

  it("never asks for more than 30 days", () => {
    assert.strictEqual(recoverySince(720, opened, opened), "2026-08-01T12:00:00.000Z")
    assert.strictEqual(recoverySince(720, opened, opened + 20 * minute), "2026-08-01T12:20:00.000Z")
  })

  it("has done what was accepted, not accepted, canceled or gone", () => {
    assert.strictEqual(
      doneOf({ ...nothing, moved: 9, waiting: 2, succeeded: 4, failed: 2, canceled: 1, skipped: 1 }),
      8
    )
  })

  it("is previewed: how many there are, and that nothing is sent yet", () => {
    assert.strictEqual(told("counting", { total: 7 }), "It is being counted: 7 so far.")
    assert.strictEqual(
      told("previewed"),
      "10 deliveries would be sent again. Nothing is sent until you start it."
    )
    assert.strictEqual(
      told("previewed", { total: 1 }),
      "1 delivery would be sent again. Nothing is sent until you start it."
    )
    assert.strictEqual(told("previewed", { total: 0 }), "Nothing has to be sent again.")
  })

  it("says while it runs how far it is, and what it waits for", () => {
    const progress = { moved: 8, waiting: 3, succeeded: 4, failed: 1, remaining: 2 }
    assert.strictEqual(told("running", { progress }), "5 of 10 were sent again.")
    assert.match(
      told("running", { progress, blocked_by: "endpoint_paused" }),
      /^5 of 10 .+ The endpoint is paused: the recovery continues/
    )
    assert.match(told("running", { progress, blocked_by: "endpoint_held" }), /^5 of 10 .+ The endpoint is held after/)
    assert.strictEqual(
      told("paused", { progress }),
      "Paused: 5 of 10 were sent again. Nothing more is sent until you continue."
    )
  })

  it("says at its end what has come of it", () => {
    assert.strictEqual(
      told("completed", { progress: { moved: 10, succeeded: 8, failed: 2 } }),
      "It is over: of 10, 8 were accepted and 2 were not."
    )
    assert.strictEqual(
      told("completed", { progress: { moved: 9, succeeded: 8, failed: 1, skipped: 1 } }),
      "It is over: of 10, 8 were accepted and 1 were not. 1 was skipped, for example because a student was removed."
    )
    assert.strictEqual(
      told("completed", { progress: { skipped: 10 } }),
      "10 were skipped, for example because a student was removed."
    )
    assert.strictEqual(
      told("completed", { total: 1, progress: { moved: 1, succeeded: 1 } }),
      "It was sent again, and accepted."
    )
    assert.strictEqual(
      told("completed", { total: 1, progress: { moved: 1, failed: 1 } }),
      "It was sent again, and not accepted."
    )
  })

  it("says why it was canceled, and what was sent before", () => {
    assert.strictEqual(
      told("canceled", { cancel_reason: "replaced" }),
      "It was never started: a later one took its place."
    )
    assert.strictEqual(
      told("canceled", { cancel_reason: "endpoint_disabled", progress: { moved: 3, succeeded: 2, canceled: 1 } }),
      "It was canceled because its endpoint was disabled. Before that, 2 were accepted and 1 were not."
    )
  })

  it("says all of it in Portuguese too", () => {
    assert.strictEqual(
      recoverySentence(
        recovery("completed", { progress: { moved: 10, succeeded: 8, failed: 2 } }),
        sentenceContext("pt-BR")
      ),
      "Terminou. De 10, aceitos: 8; não aceitos: 2."
    )
  })
})
