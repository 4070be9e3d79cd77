import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type Cause,
  type Delivery,
  type DeliveryEndpoint,
  explanation
} from "../../../../../src/console/views/webhooks/model/Explanation.ts"
import type { SentenceContext } from "../../../../../src/console/views/webhooks/model/SentenceContext.ts"
import { AttemptError } from "../../../../../src/webhooks/model/AttemptError.ts"
import { CancelReason, DeliveryStatus } from "../../../../../src/webhooks/model/DeliveryStatus.ts"
import { EndpointStatus } from "../../../../../src/webhooks/model/EndpointStatus.ts"

const at = (minute: number) => new Date(Date.UTC(2026, 7, 14, 12, minute)).toISOString()

const sentenceContext = (language: SentenceContext["language"]): SentenceContext => ({
  language,
  moment: (timestamp) => `(${timestamp})`,
  time: (timestamp) => `(${timestamp})`,
  number: String,
  now: Date.parse(at(30))
})

const delivery: Delivery = {
  id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
  endpoint_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a05",
  event_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a06",
  event_type: "student.created",
  status: "pending",
  cancel_reason: null,
  payload_purged: false,
  attempts_count: 0,
  next_attempt_at: at(0),
  last_attempt_at: null,
  last_status_code: null,
  last_error: null,
  student_id: null,
  created_at: at(0),
  finished_at: null
}

const enabled: DeliveryEndpoint = { consecutive_failures: 0, hold_until: null, kind: "https", status: "enabled" }

const cause: Cause = {
  cause: "http_status",
  status_code: 500,
  at: at(0),
  sentence: "The receiver answered 500.",
  next_step: "The receiver failed: look at its logs."
}

const told = (given: Partial<Delivery>, endpoint: DeliveryEndpoint) =>
  explanation({ ...delivery, ...given }, { cause, endpoint }, sentenceContext("en"))

const failed = { attempts_count: 3, last_error: "http_status", last_status_code: 500 } as const

const Minute = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 59 })))

const Given = {
  language: Schema.Literals(["en", "pt-BR"]),
  status: DeliveryStatus,
  cancel_reason: Schema.NullOr(CancelReason),
  payload_purged: Schema.Boolean,
  attempts_count: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
  next: Minute,
  last_error: Schema.NullOr(AttemptError),
  last_status_code: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }))),
  endpoint: Schema.NullOr(Schema.Struct({
    status: EndpointStatus,
    kind: Schema.Literals(["https", "listener"]),
    hold: Minute
  }))
}

describe("Why a delivery is not delivered", () => {
  it.prop(
    "is always told in whole sentences, in both languages",
    Given,
    ({ endpoint, language, next, ...given }) => {
      const text = explanation(
        { ...delivery, ...given, next_attempt_at: next === null ? null : at(next) },
        {
          cause,
          endpoint: endpoint === null ? undefined : {
            status: endpoint.status,
            kind: endpoint.kind,
            hold_until: endpoint.hold === null ? null : at(endpoint.hold),
            consecutive_failures: 5
          }
        },
        sentenceContext(language)
      )
      assert.match(text, /^\p{Lu}.{8,}[.?]$/su)
      assert.notMatch(text, /undefined|null|NaN| {2}|\.\.|\bat attempt 0\b/)
      return true
    }
  )

  it.each<[string, Partial<Delivery>, DeliveryEndpoint, RegExp]>([
    ["it was just made", {}, enabled, /^Not sent yet\. It is due now/],
    ["it is due later", { next_attempt_at: at(45) }, enabled, /The next attempt is due \(.*12:45/],
    ["it failed before", failed, enabled, /attempt 3 failed\. The receiver answered 500\. The receiver failed/],
    ["its endpoint is paused", {}, { ...enabled, status: "paused" }, /waits until somebody enables it/],
    [
      "its endpoint is held",
      failed,
      { ...enabled, hold_until: at(40) },
      /held after failures: it is tried again \(.*12:40/
    ],
    [
      "it is due later than its endpoint's hold ends",
      { ...failed, next_attempt_at: at(50) },
      { ...enabled, hold_until: at(40) },
      /held after failures: it is tried again \(.*12:50/
    ],
    [
      "it is due later, though a hold is over",
      { ...failed, next_attempt_at: at(50) },
      { ...enabled, hold_until: at(20) },
      /held after failures: it is tried again \(.*12:50/
    ],
    ["a hold is over", failed, { ...enabled, hold_until: at(20) }, /one attempt at a time is sent/],
    ["nobody listens", {}, { ...enabled, kind: "listener" }, /until the listener asks/],
    [
      "it was given up",
      { ...failed, status: "failed", next_attempt_at: null },
      enabled,
      /^Given up after 3 attempts\. The receiver answered 500\. /
    ],
    [
      "it was given up and is sent again",
      { ...failed, status: "failed", next_attempt_at: at(31) },
      enabled,
      /Somebody asked for one more attempt/
    ],
    [
      "it was given up and is sent again, whatever the hold",
      { ...failed, status: "failed", next_attempt_at: at(20) },
      { ...enabled, hold_until: at(40) },
      /Somebody asked for one more attempt\. It is due now/
    ],
    [
      "it was given up and is sent again once its endpoint is enabled",
      { ...failed, status: "failed", next_attempt_at: at(20) },
      { ...enabled, status: "paused" },
      /Somebody asked for one more attempt\. The endpoint is paused: it waits until somebody enables it\.$/
    ],
    [
      "it was delivered and is sent again once its endpoint is enabled",
      { status: "succeeded", attempts_count: 1, last_status_code: 204, next_attempt_at: at(20) },
      { ...enabled, status: "paused" },
      /^Delivered: .* Somebody asked for one more attempt\. The endpoint is paused/
    ],
    [
      "its payload is gone",
      { ...failed, status: "failed", next_attempt_at: null, payload_purged: true },
      enabled,
      /erased, so it cannot be sent again/
    ],
    [
      "its student was removed",
      { status: "canceled", cancel_reason: "student_removed", next_attempt_at: null, payload_purged: true },
      enabled,
      /^Not delivered: its student was removed/
    ],
    [
      "its endpoint was disabled",
      { status: "canceled", cancel_reason: "endpoint_disabled", next_attempt_at: null },
      { ...enabled, status: "disabled" },
      /^Not delivered: the endpoint was disabled while it waited\. Enable the endpoint, then resend or recover\.$/
    ],
    [
      "its endpoint was disabled and is enabled again",
      { status: "canceled", cancel_reason: "endpoint_disabled", next_attempt_at: null },
      enabled,
      /^Not delivered: the endpoint was disabled while it waited\. Resend it, or recover/
    ],
    [
      "its endpoint was disabled and its payload is gone",
      { status: "canceled", cancel_reason: "endpoint_disabled", next_attempt_at: null, payload_purged: true },
      { ...enabled, status: "disabled" },
      /^Not delivered: the endpoint was disabled while it waited\. Its payload is erased, so it cannot be sent again\.$/
    ],
    [
      "its endpoint is deleted",
      { ...failed, status: "failed", next_attempt_at: null },
      undefined,
      /Its endpoint is deleted/
    ],
    [
      "it was delivered",
      { status: "succeeded", attempts_count: 2, last_status_code: 204, next_attempt_at: null },
      enabled,
      /^Delivered: the receiver answered 204 at attempt 2\.$/
    ]
  ])("says that %s", (_, given, endpoint, expected) => {
    assert.match(told(given, endpoint), expected)
  })
})
