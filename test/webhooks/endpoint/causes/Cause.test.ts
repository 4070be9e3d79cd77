import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { Locale } from "../../../../src/platform/http/Locale.ts"
import { causeOfDelivery, causeOfFailure } from "../../../../src/webhooks/endpoint/causes/Cause.ts"
import { failureSentence, failureWords } from "../../../../src/webhooks/endpoint/causes/FailureWords.ts"
import { AttemptError } from "../../../../src/webhooks/model/AttemptError.ts"
import type { AttemptPhases } from "../../../../src/webhooks/model/AttemptPhases.ts"
import { CancelReason } from "../../../../src/webhooks/model/DeliveryStatus.ts"

const at = (minute: number) => DateTime.makeUnsafe(minute * 60_000)

const pending = {
  status: "pending",
  cancel_reason: null,
  last_error: null,
  last_status_code: null,
  last_attempt_at: null,
  finished_at: null
} as const

const answered = (status_code: number) => ({ error: "http_status" as const, status_code })

const said = (status_code: number) => failureWords("en", answered(status_code)).next_step

describe("the cause of a failure", () => {
  it("is said for every error, in both languages, with what to do", () => {
    const all = Locale.literals.flatMap((locale) =>
      AttemptError.literals.map((error) => {
        const { next_step, what } = failureWords(locale, { error, status_code: error === "redirect" ? 308 : 500 })
        assert.match(what, /^[^.]+$/)
        assert.match(next_step, /\.$/)
        return what
      })
    )
    assert.strictEqual(new Set(all).size, Locale.literals.length * AttemptError.literals.length)
  })

  it.each([
    ["address_not_allowed", null, /^Refused: the address is not on the public internet/],
    ["dns", null, /does not resolve\.$/],
    ["timeout", null, /did not answer in time\.$/],
    ["tls", null, /certificate/],
    ["redirect", 308, /answered 308, and redirects are not followed\.$/],
    ["http_status", 500, /^The receiver answered 500\.$/]
  ] as const)("of %s with %s reads like %s", (error, status_code, sentence) => {
    assert.match(causeOfFailure({ error, status_code }, at(1)).sentence, sentence)
  })

  it("is told by how far the attempt came, where that is known", () => {
    const nothing = { lookup_ms: 1, connect_ms: null, tls_ms: null, send_ms: null, wait_ms: null, read_ms: null }
    const sent = { ...nothing, connect_ms: 1, tls_ms: 1, send_ms: 0 }
    const sentence = (error: AttemptError, phases: AttemptPhases | null) =>
      causeOfDelivery({
        status: "failed",
        cancel_reason: null,
        last_error: error,
        last_status_code: null,
        last_attempt_at: at(1),
        finished_at: at(1)
      }, { attempts: [{ error, status_code: null, phases }] })?.sentence
    assert.strictEqual(sentence("timeout", nothing), "The connection to the receiver took too long.")
    assert.strictEqual(sentence("timeout", sent), "The receiver did not answer in time.")
    assert.strictEqual(sentence("timeout", null), "The receiver did not answer in time.")
    assert.strictEqual(sentence("connection", sent), "The connection broke before an answer.")
    assert.strictEqual(sentence("connection", nothing), "The receiver took no connection.")
  })

  it("tells by the status what helps", () => {
    const kinds = [401, 404, 410, 429, 422, 500, 204].map(said)
    assert.strictEqual(new Set(kinds).size, 7)
    assert.deepStrictEqual([said(403), said(405), said(503)], [said(401), said(404), said(500)])
  })

  it("is that the certificate had ended, where that is known of a failure of TLS", () => {
    const words = (error: AttemptError, ends: DateTime.Utc | null, tried: DateTime.Utc | null = at(2)) =>
      failureWords("en", { error, status_code: null, certificate_ends_at: ends, at: tried })
    const usual = words("tls", null)
    assert.deepStrictEqual(words("tls", at(1)), {
      what: "TLS failed: the receiver's certificate ended on 1970-01-01",
      next_step: "Renew it, and check that the receiver loads the new one."
    })
    for (const other of [words("tls", at(3)), words("tls", at(1), null)]) assert.deepStrictEqual(other, usual)
    assert.deepStrictEqual(words("timeout", at(1)), words("timeout", null))
    const other = { error: "tls" as const, status_code: null, certificate_ends_at: at(1), at: at(2) }
    assert.include(failureWords("pt-BR", other, () => "hoje").what, "venceu em hoje")
  })

  it("says how often in a row it was so", () => {
    assert.deepStrictEqual([1, 3].map((times) => failureSentence("It broke", times, "en")), [
      "It broke.",
      "It broke, 3 times in a row."
    ])
    assert.strictEqual(failureSentence("Falhou", 2, "pt-BR"), "Falhou, 2 vezes seguidas.")
  })
})

describe("the cause of a delivery that is not delivered", () => {
  it("is none where it was accepted, whatever came before", () => {
    assert.isNull(causeOfDelivery({ ...pending, status: "succeeded", last_error: null, finished_at: at(1) }))
  })

  it("is said in both languages, whatever it is", () => {
    const failed = AttemptError.literals.map((last_error) => ({ ...pending, last_error, last_status_code: 308 }))
    const canceled = CancelReason.literals.map((cancel_reason) => ({
      ...pending,
      status: "canceled" as const,
      cancel_reason
    }))
    const waits = [{ status: "enabled", hold_until: null }, { status: "enabled", hold_until: at(3) }, {
      status: "paused",
      hold_until: null
    }] as const
    const said = (locale: Locale) => [
      ...[...failed, ...canceled].map((facts) => causeOfDelivery(facts, {}, locale)),
      ...waits.map((endpoint) => causeOfDelivery(pending, { endpoint }, locale))
    ]
    const sentences = Locale.literals.flatMap((locale) => said(locale).map((cause) => cause?.sentence ?? ""))
    const steps = Locale.literals.flatMap((locale) => said(locale).map((cause) => cause?.next_step ?? ""))
    assert.strictEqual(new Set(sentences).size, 2 * (failed.length + canceled.length + waits.length))
    for (const text of [...sentences, ...steps]) assert.match(text, /^\p{Lu}.+\.$/u)
  })

  it.each(CancelReason.literals)("is why it was canceled: %s", (cancel_reason) => {
    const canceled = { ...pending, status: "canceled" as const, cancel_reason, last_error: "dns" as const }
    const cause = causeOfDelivery({ ...canceled, finished_at: at(9) })
    assert.deepInclude(cause, { cause: cancel_reason, at: at(9), status_code: null })
    assert.match(cause?.next_step ?? "", /\.$/)
  })

  it.each(["pending", "failed"] as const)("is its last error, and how often in a row that was so: %s", (status) => {
    const attempts = [answered(500), { error: "dns" as const, status_code: null }, answered(500), answered(500)]
    const delivery = { ...pending, status, last_error: "http_status" as const, last_status_code: 500 }
    assert.deepStrictEqual(causeOfDelivery({ ...delivery, last_attempt_at: at(4) }, { attempts }), {
      cause: "http_status",
      status_code: 500,
      at: at(4),
      sentence: "The receiver answered 500, 2 times in a row.",
      next_step: said(500)
    })
  })

  it("does not count statuses that differ, nor attempts that are not known", () => {
    const delivery = { ...pending, last_error: "http_status" as const, last_status_code: 503 }
    const sentence = "The receiver answered 503."
    const attempts = [answered(500), answered(503)]
    assert.strictEqual(causeOfDelivery(delivery, { attempts })?.sentence, sentence)
    assert.strictEqual(causeOfDelivery(delivery)?.sentence, sentence)
  })

  it.each([
    ["waiting", undefined],
    ["waiting", { status: "enabled", hold_until: null }],
    ["held", { status: "enabled", hold_until: at(3) }],
    ["paused", { status: "paused", hold_until: at(3) }]
  ] as const)("is what it waits for before the first attempt: %s", (cause, endpoint) => {
    const known = endpoint === undefined ? {} : { endpoint }
    assert.deepInclude(causeOfDelivery(pending, known), { cause, at: null, status_code: null })
  })
})
