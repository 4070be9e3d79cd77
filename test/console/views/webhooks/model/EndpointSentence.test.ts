import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { byUrgency, clubSentence } from "../../../../../src/console/views/webhooks/model/ClubSentence.ts"
import {
  type Diagnosis,
  type Endpoint,
  healthOf,
  nameOf
} from "../../../../../src/console/views/webhooks/model/EndpointHealth.ts"
import { endpointSentence } from "../../../../../src/console/views/webhooks/model/EndpointSentence.ts"
import type { SentenceContext } from "../../../../../src/console/views/webhooks/model/SentenceContext.ts"
import { EndpointStatus } from "../../../../../src/webhooks/model/EndpointStatus.ts"

const at = (minute: number) => new Date(Date.UTC(2026, 7, 14, 12, minute)).toISOString()

const sentenceContext = (language: SentenceContext["language"] = "en"): SentenceContext => ({
  language,
  moment: (timestamp) => `(${timestamp.slice(11, 16)})`,
  time: (timestamp) => `on (${timestamp.slice(11, 16)})`,
  number: String,
  now: Date.parse(at(30))
})

const endpoint: Endpoint = {
  id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a05",
  kind: "https",
  url: "https://hooks.flauta.example/turma",
  inbox_id: null,
  description: "",
  status: "enabled",
  event_types: ["student.created"],
  notices: true,
  hold_until: null,
  disabled_reason: null,
  disabled_at: null,
  consecutive_failures: 0,
  last_success_at: at(1),
  last_failure_at: null,
  previous_secret_expires_at: null,
  signing: "hmac",
  public_key: null,
  listening_until: null,
  filter: null,
  header_names: [],
  max_per_second: null,
  max_in_flight: null,
  drain_rate: null,
  created_at: at(0),
  updated_at: at(0)
}

const diagnosis: Diagnosis = {
  status: "enabled",
  disabled_reason: null,
  held: false,
  hold_until: null,
  consecutive_failures: 0,
  queue_depth: 0,
  queue_depth_capped: false,
  oldest_pending_at: null,
  next_attempt_at: null,
  failing_since: null,
  projected_disable_at: null,
  last_failure: null,
  advice: [],
  summary: ""
}

const held = {
  held: true,
  hold_until: at(40),
  next_attempt_at: at(40),
  consecutive_failures: 6,
  failing_since: at(10),
  queue_depth: 12
}

const told = (more: Partial<Diagnosis>, of: Partial<Endpoint> = {}) =>
  endpointSentence({ ...endpoint, ...of }, { ...diagnosis, ...more }, sentenceContext())

const Minute = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 59 })))

describe("How an endpoint stands", () => {
  it.prop(
    "is always told in whole sentences, in both languages",
    {
      language: Schema.Literals(["en", "pt-BR"]),
      status: EndpointStatus,
      kind: Schema.Literals(["https", "listener"]),
      hold: Minute,
      next: Minute,
      failing: Minute,
      failures: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })),
      depth: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
      reason: Schema.NullOr(Schema.Literals(["failing", "manual"])),
      success: Minute
    },
    ({ depth, failing, failures, hold, kind, language, next, reason, status, success }) => {
      const moment = (minute: number | null) => minute === null ? null : at(minute)
      const text = endpointSentence(
        { ...endpoint, kind, disabled_at: moment(success), last_success_at: moment(success) },
        {
          ...diagnosis,
          status,
          disabled_reason: reason,
          hold_until: moment(hold),
          next_attempt_at: moment(next),
          consecutive_failures: failures,
          failing_since: moment(failing),
          projected_disable_at: moment(failing),
          queue_depth: depth
        },
        sentenceContext(language)
      )
      assert.match(text, /^\p{Lu}.{8,}\.$/su)
      assert.notMatch(text, /undefined|null|NaN| {2}|\.\./)
      return true
    }
  )

  it("says what is wrong, since when, what waits, and when it is tried again", () => {
    const text = told(held)
    for (const part of ["6 failures", "since on (12:10)", "(12:40)", "12 deliveries wait"]) assert.include(text, part)
  })

  const dns = {
    cause: "dns",
    status_code: null,
    at: at(9),
    sentence: "The name of the receiver does not resolve.",
    next_step: "Look its host name up."
  } as const

  it("says in the API's words why the last attempt failed and what helps, for as long as that is why it stands so", () => {
    const text = told({ ...held, last_failure: dns })
    const why = "Why the last attempt failed:"
    assert.isTrue(text.endsWith(` ${why} ${dns.sentence} ${dns.next_step}`))
    assert.notInclude(told({ last_failure: dns }), why)
    assert.notInclude(told({ ...held, status: "paused", last_failure: dns }), why)
  })

  it("says that a hold which is over lets one attempt through at a time", () => {
    assert.match(told({ ...held, hold_until: at(20), next_attempt_at: at(20) }), /one attempt at a time is sent/)
  })

  it("says of a hold when something is sent next, which may be long after it", () => {
    assert.include(told({ ...held, next_attempt_at: at(55) }), "tried again (12:55)")
    assert.include(told({ ...held, hold_until: at(20), next_attempt_at: at(55) }), "tried again (12:55)")
  })

  it("asks for a test where it is held and nothing waits, since nothing is tried then", () => {
    const text = told({ ...held, queue_depth: 0, next_attempt_at: null })
    assert.match(text, /nothing waits\. Send a test/)
    assert.notMatch(text, /tried again/)
  })

  it("says of a pause whether anything waits", () => {
    assert.strictEqual(
      told({ status: "paused", queue_depth: 2 }),
      "Paused: 2 deliveries wait until you enable it, and new events wait too."
    )
    assert.strictEqual(
      told({ status: "paused" }),
      "Paused: nothing waits yet, and new events wait until you enable it."
    )
  })

  it("says how many wait, also where more do than were counted", () => {
    assert.strictEqual(told({}), "It delivers: nothing waits.")
    assert.strictEqual(told({ queue_depth: 1 }), "It delivers: 1 delivery waits.")
    assert.include(told({ queue_depth: 10_000, queue_depth_capped: true }), "more than 10000 deliveries wait")
  })

  it("tells who was disabled for failing from who was by a person", () => {
    assert.match(told({ status: "disabled", disabled_reason: "failing" }, { disabled_at: at(3) }), /accepted nothing/)
    assert.match(
      told({ status: "disabled", disabled_reason: "manual" }, { disabled_at: at(3) }),
      /Somebody disabled it/
    )
  })

  it("asks for a test where nothing was sent yet", () => {
    assert.match(told({}, { last_success_at: null }), /Send a test/)
  })

  it("is called by its description, else by where it is", () => {
    assert.strictEqual(nameOf(endpoint), "hooks.flauta.example/turma")
    assert.strictEqual(nameOf({ ...endpoint, description: "Our CRM" }), "Our CRM")
    assert.strictEqual(healthOf({ ...endpoint, hold_until: at(3) }), "held")
  })
})

describe("Whether all endpoints are all right", () => {
  const right = { endpoint, diagnosis }
  const stopped = (status: "disabled" | "paused") => ({ endpoint, diagnosis: { ...diagnosis, status } })

  it("is said of all where it is so", () => {
    assert.strictEqual(clubSentence([right, right], sentenceContext()), "All 2 endpoints are all right: nothing waits.")
    assert.strictEqual(clubSentence([], sentenceContext()), "No events are sent anywhere yet.")
  })

  it("names the first that is not", () => {
    const text = clubSentence([right, { endpoint, diagnosis: { ...diagnosis, ...held } }], sentenceContext())
    assert.match(text, /^1 of 2 endpoints needs you\. hooks\.flauta\.example\/turma: Held after 6 failures/)
  })

  it("is said of those alone that run, with how many were paused or disabled", () => {
    assert.strictEqual(
      clubSentence([right, stopped("paused"), stopped("disabled"), stopped("disabled")], sentenceContext()),
      "The endpoint that runs is all right: nothing waits. One is paused. 2 are disabled."
    )
    assert.strictEqual(
      clubSentence([right, right, stopped("disabled")], sentenceContext()),
      "The 2 endpoints that run are all right: nothing waits. One is disabled."
    )
  })

  it("is said of none where none runs", () => {
    assert.strictEqual(
      clubSentence([stopped("disabled")], sentenceContext()),
      "Nothing is sent now. The endpoint is disabled."
    )
    assert.strictEqual(
      clubSentence([stopped("paused")], sentenceContext()),
      "Nothing is sent now. The endpoint is paused."
    )
    assert.strictEqual(
      clubSentence([stopped("paused"), stopped("disabled")], sentenceContext("pt-BR")),
      "Nada é enviado agora. Um está pausado. Um está desativado."
    )
  })

  it("names first what wants somebody most, as the list has it", () => {
    const failing = { endpoint, diagnosis: { ...diagnosis, consecutive_failures: 2, failing_since: at(10) } }
    const given = {
      endpoint: { ...endpoint, description: "CRM" },
      diagnosis: { ...diagnosis, status: "disabled", disabled_reason: "failing" }
    } as const
    assert.deepStrictEqual(byUrgency([right, stopped("paused"), failing, given]), [
      given,
      failing,
      stopped("paused"),
      right
    ])
    assert.match(clubSentence([failing, given], sentenceContext()), /^2 of 2 endpoints need you\. CRM: It was disabled/)
  })
})
