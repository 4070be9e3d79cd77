import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import { diagnose, type Findings } from "../../../src/webhooks/endpoint/Diagnosis.ts"

const at = (minute: number) => DateTime.makeUnsafe(minute * 60_000)

const healthy: Findings = {
  now: at(0),
  endpoint: {
    status: "enabled",
    disabled_reason: null,
    hold_until: null,
    consecutive_failures: 0,
    failing_since: null,
    last_failure_at: null,
    last_failure_error: null,
    last_failure_status: null,
    last_success_at: null,
    certificate_ends_at: null,
    secret_ends_at: null,
    newest_proved: null
  },
  queue: { depth: 0, oldest_pending_at: null, due_at: null, requested_at: null },
  opens: true,
  counted: 10,
  disable_after: Duration.minutes(60),
  secret_overlap: Duration.hours(24)
}

const of = (endpoint: Partial<Findings["endpoint"]>, queue: Partial<Findings["queue"]> = {}) =>
  diagnose({
    ...healthy,
    endpoint: { ...healthy.endpoint, ...endpoint },
    queue: { ...healthy.queue, ...queue }
  })

describe("a diagnosis", () => {
  it("says first where what signs does not open", () => {
    const { advice, summary } = diagnose({ ...healthy, opens: false })
    assert.deepStrictEqual(advice.map(({ about }) => about), ["secrets_unreadable"])
    assert.match(summary, /^Not delivering: .*APP_SECRET_KEY/)
  })

  it.each([
    [{}, {}, "Delivering; no deliveries wait."],
    [{}, { depth: 1 }, "Delivering; 1 delivery waits."],
    [{}, { depth: 10 }, "Delivering; 10 deliveries wait."],
    [{}, { depth: 11 }, "Delivering; more than 10 deliveries wait."],
    [{ consecutive_failures: 1 }, { depth: 1 }, "Delivering, after 1 failed attempt; 1 delivery waits."],
    [{ consecutive_failures: 3 }, {}, "Delivering, after 3 failed attempts in a row; no deliveries wait."],
    [
      { consecutive_failures: 5, hold_until: at(1) },
      { depth: 2 },
      "Held after 5 failed attempts in a row: one attempt at a time until one is accepted; 2 deliveries wait."
    ],
    [
      { status: "paused", hold_until: at(1) },
      { depth: 2 },
      "Not delivering: the endpoint is paused; 2 deliveries wait until it is enabled."
    ],
    [
      { status: "disabled", disabled_reason: "manual" },
      {},
      "Not delivering: an administrator disabled the endpoint."
    ],
    [
      { status: "disabled", disabled_reason: "failing" },
      {},
      "Not delivering: the endpoint was disabled because it accepted nothing for too long."
    ]
  ] as const)("of %j with %j says: %s", (endpoint, queue, summary) => {
    assert.strictEqual(of(endpoint, queue).summary, summary)
  })

  it.each([[9, 9, false], [10, 10, false], [11, 10, true]] as const)(
    "of a queue of %d shows %d, capped: %s",
    (depth, shown, capped) => {
      const { queue_depth, queue_depth_capped } = of({}, { depth })
      assert.deepStrictEqual([queue_depth, queue_depth_capped], [shown, capped])
    }
  )

  it.each([
    ["nothing", {}, {}, null],
    ["what is due first", {}, { due_at: at(1), requested_at: at(2) }, at(1)],
    ["the end of the hold", { hold_until: at(5) }, { due_at: at(1) }, at(5)],
    ["what is due after the hold", { hold_until: at(5) }, { due_at: at(7) }, at(7)],
    ["what a person asked for, hold or not", { hold_until: at(5) }, { due_at: at(1), requested_at: at(1) }, at(1)],
    ["nothing while paused", { status: "paused" }, { due_at: at(1), requested_at: at(1) }, null],
    ["nothing while disabled", { status: "disabled" }, { due_at: at(1) }, null]
  ] as const)("finds that the next attempt is for %s", (_, endpoint, queue, next) => {
    assert.deepStrictEqual(of(endpoint, queue).next_attempt_at, next)
  })

  it("foresees the day on which an endpoint that accepts nothing is disabled", () => {
    assert.deepStrictEqual(of({ failing_since: at(1) }).projected_disable_at, at(61))
    assert.isNull(of({}).projected_disable_at)
    assert.isNull(of({ failing_since: at(1), status: "paused" }).projected_disable_at)
  })

  it("says why the last failed attempt failed, and what to do", () => {
    assert.isNull(of({}).last_failure)
    const failed = { last_failure_at: at(2), last_failure_error: "http_status", last_failure_status: 503 } as const
    assert.deepStrictEqual(of(failed).last_failure, {
      cause: "http_status",
      status_code: 503,
      at: at(2),
      sentence: "The receiver answered 503.",
      next_step: "The receiver failed: look at its logs."
    })
  })

  it("advises where the receiver says that it is gone, until something else comes", () => {
    const gone = { last_failure_at: at(2), last_failure_error: "http_status", last_failure_status: 410 } as const
    const aboutOf = (endpoint: Partial<Findings["endpoint"]>) => of(endpoint).advice.map(({ about }) => about)
    assert.deepStrictEqual(aboutOf({ ...gone, consecutive_failures: 1 }), ["gone"])
    assert.deepStrictEqual(aboutOf({ ...gone, consecutive_failures: 0 }), [])
    assert.deepStrictEqual(aboutOf({ ...gone, consecutive_failures: 1, last_failure_status: 404 }), [])
  })

  it("advises to renew a certificate that ends within 14 days, and one that has ended", () => {
    const day = 24 * 60
    const sentencesOf = (certificate_ends_at: DateTime.Utc | null) =>
      of({ certificate_ends_at }).advice.map(({ about, sentence }) => `${about}: ${sentence.split(": ")[0]}`)
    assert.deepStrictEqual(sentencesOf(null), [])
    assert.deepStrictEqual(sentencesOf(at(14 * day + 1)), [])
    const ends = "certificate_ends: The receiver's certificate ends on 1970-01-"
    assert.deepStrictEqual(sentencesOf(at(14 * day)), [`${ends}15, in 14 days`])
    assert.deepStrictEqual(sentencesOf(at(day)), [`${ends}02, in 1 day`])
    assert.deepStrictEqual(sentencesOf(at(1)), [`${ends}01, in less than a day`])
    const ended = "certificate_ends: The certificate that the receiver showed last ended on 1970-01-01"
    assert.deepStrictEqual(sentencesOf(at(0)), [ended])
  })

  it("names a certificate that had ended as the cause where TLS failed", () => {
    const tls = { last_failure_at: at(2), last_failure_error: "tls" } as const
    const sentence = "TLS failed: the receiver's certificate ended on 1970-01-01."
    assert.strictEqual(of({ ...tls, certificate_ends_at: at(2) }).last_failure?.sentence, sentence)
    assert.notStrictEqual(of({ ...tls, certificate_ends_at: at(3) }).last_failure?.sentence, sentence)
  })

  it("tells of a secret that ends whether anything was accepted since it was replaced", () => {
    const day = 24 * 60
    const sentenceOf = (last_success_at: DateTime.Utc | null) =>
      of({ secret_ends_at: at(day + 10), last_success_at }).advice.map(({ sentence }) => sentence).join()
    assert.include(sentenceOf(null), "signs until 1970-01-02T00:10:00.000Z")
    assert.include(sentenceOf(null), "Nothing was accepted since")
    assert.include(sentenceOf(at(9)), "Nothing was accepted since")
    assert.include(sentenceOf(at(10)), "carried both signatures")
  })

  it("tells of it what a grading has shown, if one has", () => {
    const day = 24 * 60
    const rotated = { secret_ends_at: at(day + 10), last_success_at: at(10) }
    const sentenceOf = (newest_proved: boolean | null) =>
      of({ ...rotated, newest_proved }).advice.map(({ sentence }) => sentence).join()
    assert.include(sentenceOf(true), "A grading has shown that the receiver has the newest.")
    assert.include(sentenceOf(false), "A grading has shown that the receiver refuses the newest")
    assert.include(sentenceOf(null), "carried both signatures")
  })

  it("says its summary and its advice in both languages", () => {
    const ends = { certificate_ends_at: at(1), secret_ends_at: at(10) }
    const worst = { ...healthy.endpoint, ...ends, consecutive_failures: 1, last_failure_error: "http_status" } as const
    const endpoints: ReadonlyArray<Findings["endpoint"]> = [
      { ...worst, last_failure_status: 410 },
      { ...healthy.endpoint, certificate_ends_at: at(-1), secret_ends_at: at(10), newest_proved: true },
      { ...healthy.endpoint, secret_ends_at: at(10), newest_proved: false },
      { ...healthy.endpoint, secret_ends_at: at(10), last_success_at: at(9) },
      { ...healthy.endpoint, consecutive_failures: 5, hold_until: at(1) },
      { ...healthy.endpoint, status: "paused" },
      { ...healthy.endpoint, status: "disabled", disabled_reason: "manual" },
      { ...healthy.endpoint, status: "disabled", disabled_reason: "failing" }
    ]
    const said = (locale: "en" | "pt-BR") =>
      endpoints.flatMap((endpoint) => {
        const { advice, summary } = diagnose({ ...healthy, endpoint, opens: endpoint.status === "disabled" }, locale)
        return [summary, ...advice.map(({ sentence }) => sentence)]
      })
    const [english, portuguese] = [said("en"), said("pt-BR")]
    assert.strictEqual(english.length, portuguese.length)
    for (const [index, sentence] of portuguese.entries()) {
      assert.match(sentence, /^\p{Lu}.+\.$/u)
      assert.notStrictEqual(sentence, english[index])
    }
    assert.strictEqual(new Set(english).size, new Set(portuguese).size)
  })

  it("calls an endpoint held for as long as its breaker says until when", () => {
    assert.deepStrictEqual([of({}).held, of({ hold_until: at(0) }).held], [false, true])
  })
})
