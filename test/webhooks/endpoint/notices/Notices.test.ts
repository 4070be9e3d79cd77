import { assert, it, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Duration, Effect, Layer, Logger, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Mailer } from "../../../../src/platform/mail/Mailer.ts"
import { Disabling } from "../../../../src/webhooks/endpoint/Disabling.ts"
import type { NoticeEvent } from "../../../../src/webhooks/endpoint/notices/Notice.ts"
import { Notices, noticesLayer } from "../../../../src/webhooks/endpoint/notices/Notices.ts"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { makeClub, makeMember } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { insertPreviousSecret } from "../../../harness/Webhooks.ts"
import { ago, type MadeEndpoint, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import { failingSince, mails, setLane, TestLayer } from "../Failing.ts"

const NoticesLayer = Notices.layer.pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { PUBLIC_URL: "https://turma.example" } }))),
  Layer.provideMerge(TestLayer)
)

const tell = Effect.flatMap(Notices, ({ sendAll }) => sendAll)

const subjects = Effect.map(mails, (sent) => sent.map(({ subject }) => subject))

const at = (moment: DateTime.Utc) => DateTime.toDateUtc(moment)

/** An endpoint of a club with one owner. Its attempts have failed since this moment, and its hold began then. */
const heldSince = Effect.fnUntraced(function*(since: DateTime.Utc, given: Parameters<typeof failingSince>[1] = {}) {
  const club = yield* makeClub({ locale: "en", name: "Guitar Club" })
  const endpoint = yield* failingSince(since, { club, ...given })
  const owner = yield* makeMember(club, "owner")
  yield* setLane(endpoint, {
    held_since: at(since),
    holds: 4,
    hold_until: at(saturday),
    consecutive_failures: 8,
    last_failure_at: at(ago("2 minutes")),
    last_failure_error: "http_status",
    last_failure_status: 503
  })
  yield* mails
  return { ...endpoint, club, owner }
})
type Held = Effect.Success<ReturnType<typeof heldSince>>

/** The endpoint accepts again from this moment on. */
const accept = (endpoint: MadeEndpoint, moment: DateTime.Utc) =>
  setLane(endpoint, {
    held_since: null,
    holds: 0,
    hold_until: null,
    consecutive_failures: 0,
    failing_since: null,
    last_success_at: at(moment)
  })

const now = DateTime.now

const held = "A webhook endpoint of the club Guitar Club does not accept events"
const back = "A webhook endpoint of the club Guitar Club accepts events again"
const soon = "A webhook endpoint of the club Guitar Club is about to be disabled"
const disabled = "A webhook endpoint of the club Guitar Club was disabled"
const ending = "A webhook secret of the club Guitar Club is about to end"

layer(NoticesLayer)("An endpoint that has been held for an hour", (it) => {
  it.effect("has a notice to owners and admins, with the cause, what to do, what follows and where to go", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(ago("1 hour"))
      yield* makeMember(endpoint.club, "admin")
      yield* makeMember(endpoint.club, "editor")
      yield* mails
      assert.strictEqual(yield* tell, 1)
      const sent = yield* mails
      assert.deepStrictEqual(sent.map(({ subject }) => subject), [held, held])
      const text = sent[0]?.text ?? ""
      for (
        const part of [
          "at hooks.example has been held for an hour: nothing was accepted since November 21, 2026",
          "The receiver answered 503. The receiver failed: look at its logs.",
          "If nothing is accepted until November 26, 2026",
          `https://turma.example/console/${endpoint.club.organization_id}/webhooks/${endpoint.endpoint_id}`
        ]
      ) assert.include(text, part)
      assert.notInclude(text, "s3cret")
    }))

  it.effect("has a notice with the delivery that was tried last, but nothing of what is in it", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(ago("1 hour"))
      const tried = (moment: DateTime.Utc) => ({
        attempts_count: 1,
        last_attempt_at: at(moment),
        last_error: "timeout"
      })
      yield* makeDelivery(endpoint, ago("50 minutes"), tried(ago("40 minutes")))
      const last = yield* makeDelivery(endpoint, ago("55 minutes"), tried(ago("30 minutes")))
      yield* makeDelivery(endpoint, ago("10 minutes"))
      const other = yield* heldSince(ago("1 minute"), { status: "paused" })
      yield* makeDelivery(other, ago("2 minutes"), tried(ago("1 minute")))
      yield* tell
      const [mail] = yield* mails
      assert.include(
        mail?.text ?? "",
        `An example is the event ${last.event_id}, student.created, of November 21, 2026`
      )
      assert.notInclude(mail?.text ?? "", last.student_id)
    }))

  it.effect("has a notice with the end of its certificate where that is why TLS fails", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(ago("1 hour"))
      const tls = { last_failure_error: "tls", last_failure_status: null }
      yield* setLane(endpoint, { ...tls, certificate_ends_at: at(ago("1 day")) })
      yield* tell
      const [mail] = yield* mails
      assert.include(mail?.text ?? "", "TLS failed: the receiver's certificate ended on November 20, 2026")
    }))

  it.effect("has one notice, however often and by however many it is looked for", () =>
    Effect.gen(function*() {
      yield* warmPool
      yield* heldSince(ago("2 hours"))
      const told = yield* Effect.all(Array.from({ length: 6 }, () => tell), { concurrency: "unbounded" })
      assert.strictEqual(told.reduce((sum, one) => sum + one, 0), 1)
      assert.deepStrictEqual(yield* subjects, [held])
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* tell, 0)
    }))

  it.effect("is not told of a millisecond before", () =>
    Effect.gen(function*() {
      yield* heldSince(DateTime.add(ago("1 hour"), { milliseconds: 1 }))
      assert.strictEqual(yield* tell, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* tell, 1)
      yield* mails
    }))

  it.effect("is not told of while it is paused, disabled or deleted", () =>
    Effect.gen(function*() {
      const stopped = { status: "disabled", disabled_reason: "manual", disabled_at: at(saturday) }
      yield* heldSince(ago("3 hours"), { status: "paused" })
      yield* heldSince(ago("3 hours"), stopped)
      yield* heldSince(ago("3 hours"), { deleted_at: at(saturday) })
      const enabled = yield* heldSince(ago("3 hours"))
      yield* Effect.flatMap(LaneChanges, ({ enable }) => enable(enabled))
      assert.strictEqual(yield* tell, 0)
    }))

  it.effect("is noted and told to operators, and mailed to nobody, where its administrators want no mails", () =>
    Effect.gen(function*() {
      yield* heldSince(ago("1 hour"), { notices: false })
      assert.strictEqual(yield* tell, 1)
      assert.deepStrictEqual(yield* mails, [])
    }))

  it.effect("has another notice the next time that it is held", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(ago("1 hour"))
      yield* tell
      yield* accept(endpoint, yield* now)
      yield* TestClock.adjust("1 day")
      yield* tell
      assert.deepStrictEqual(yield* subjects, [held, back])
      yield* setLane(endpoint, { held_since: at(yield* now), failing_since: at(yield* now), consecutive_failures: 5 })
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* tell, 1)
      assert.deepStrictEqual(yield* subjects, [held])
    }))
})

layer(NoticesLayer)("An endpoint that accepts again", (it) => {
  it.effect("has a notice where its hold had one, 24 hours later at the earliest", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(ago("1 hour"))
      yield* tell
      yield* accept(endpoint, yield* now)
      assert.strictEqual(yield* tell, 0)
      yield* TestClock.adjust(Duration.subtract(Duration.hours(24), Duration.millis(1)))
      assert.strictEqual(yield* tell, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* tell, 1)
      const [, mail] = yield* mails
      assert.strictEqual(mail?.subject, back)
      yield* TestClock.adjust("3 days")
      assert.strictEqual(yield* tell, 0)
    }))

  it.effect("is not told of where nobody was told of its hold, nor before something was accepted", () =>
    Effect.gen(function*() {
      const short = yield* heldSince(ago("59 minutes"))
      yield* tell
      yield* accept(short, yield* now)
      const enabled = yield* heldSince(ago("1 hour"))
      yield* tell
      yield* Effect.flatMap(LaneChanges, ({ enable }) => enable(enabled))
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* tell, 0)
      assert.deepStrictEqual(yield* subjects, [held])
    }))
})

layer(NoticesLayer)("An endpoint that has accepted nothing for 4 days", (it) => {
  it.effect("has a notice a day before it is disabled, held or not", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(DateTime.add(ago("4 days"), { milliseconds: 1 }))
      yield* setLane(endpoint, { held_since: null, holds: 0, hold_until: null })
      assert.strictEqual(yield* tell, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* tell, 1)
      const [mail] = yield* mails
      assert.strictEqual(mail?.subject, soon)
      assert.include(mail?.text, "If nothing is accepted until November 22, 2026")
      assert.strictEqual(yield* tell, 0)
    }))

  it.effect("has a notice although its hold had one days ago, and its disabling has one whatever came that day", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(ago("1 hour"))
      yield* tell
      yield* TestClock.adjust(Duration.subtract(Duration.days(4), Duration.hours(1)))
      assert.strictEqual(yield* tell, 1)
      yield* TestClock.adjust("1 day")
      yield* tell
      const { disableFailing } = yield* Disabling
      assert.isTrue(yield* disableFailing(endpoint, 3))
      assert.deepStrictEqual(yield* subjects, [held, soon, disabled])
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`
        select kind, is_open from webhook_notices where endpoint_id = ${endpoint.endpoint_id} order by day`
      assert.deepStrictEqual(rows.map(({ kind, is_open }) => [kind, is_open]), [
        ["held", false],
        ["disabling", false],
        ["disabled", false]
      ])
    }))

  it.effect("has the only notice where it has been held as well", () =>
    Effect.gen(function*() {
      yield* heldSince(ago("4 days"))
      assert.strictEqual(yield* tell, 1)
      assert.deepStrictEqual(yield* subjects, [soon])
      yield* TestClock.adjust("20 hours")
      assert.strictEqual(yield* tell, 0)
    }))

  it.effect("has its notice and the note of it, both or neither", () =>
    Effect.gen(function*() {
      yield* heldSince(ago("4 days"))
      const Broken = Layer.mock(Mailer, { enqueueAll: () => Effect.die(new Error("no disk")) })
      const broken = Layer.fresh(Notices.layer).pipe(
        Layer.provide(Broken),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} })))
      )
      assert.strictEqual(yield* Effect.provide(tell, broken), 0)
      assert.strictEqual(yield* tell, 1)
      assert.deepStrictEqual(yield* subjects, [soon])
    }))
})

layer(NoticesLayer)("A secret that was replaced", (it) => {
  it.effect("has one notice, an hour before it ends, and whatever was told that day", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(ago("1 hour"))
      yield* tell
      const ends = DateTime.add(saturday, { hours: 2 })
      yield* insertPreviousSecret(endpoint, 1, new Uint8Array([1]), ends)
      assert.strictEqual(yield* tell, 0)
      yield* TestClock.adjust("1 hour")
      const told = yield* Effect.all([tell, tell, tell], { concurrency: "unbounded" })
      assert.strictEqual(told.reduce((sum, one) => sum + one, 0), 1)
      const sent = yield* mails
      assert.deepStrictEqual(sent.map(({ subject }) => subject), [held, ending])
      assert.include(sent[1]?.text, "stops signing at November 21, 2026")
      assert.include(sent[1]?.text, "Nothing was accepted since it was replaced")
      assert.strictEqual(yield* tell, 0)
    }))

  it.effect("has a notice with what was accepted since, which does not show which secret the receiver has", () =>
    Effect.gen(function*() {
      const endpoint = yield* heldSince(ago("1 minute"))
      yield* setLane(endpoint, { last_success_at: at(ago("5 minutes")) })
      yield* insertPreviousSecret(endpoint, 1, new Uint8Array([1]), DateTime.add(saturday, { minutes: 30 }))
      yield* tell
      assert.include(
        (yield* mails)[0]?.text,
        "Deliveries were accepted since it was replaced, but with both signatures"
      )
    }))

  it.effect("is not told of once it has ended, nor of an endpoint that is not sent to, or of a listener", () =>
    Effect.gen(function*() {
      const ended = yield* heldSince(ago("1 minute"))
      yield* insertPreviousSecret(ended, 1, new Uint8Array([1]), saturday)
      const paused = yield* heldSince(ago("1 minute"), { status: "paused" })
      yield* insertPreviousSecret(paused, 1, new Uint8Array([1]), DateTime.add(saturday, { minutes: 30 }))
      const sql = yield* SqlClient.SqlClient
      const listener = yield* heldSince(ago("1 minute"))
      yield* sql`
        update webhook_endpoints set kind = 'listener', listening_until = ${at(saturday)}
        where id = ${listener.endpoint_id}`
      yield* insertPreviousSecret(listener, 1, new Uint8Array([1]), DateTime.add(saturday, { minutes: 30 }))
      assert.strictEqual(yield* tell, 0)
    }))
})

/** Causes this event for the endpoints, then sends the notices. */
const happenTo = Effect.fnUntraced(function*(endpoints: ReadonlyArray<Held>, kind: NoticeEvent) {
  if (kind === "disabled") {
    const { disableFailing } = yield* Disabling
    return yield* Effect.forEach(endpoints, (endpoint) => disableFailing(endpoint, 3), { discard: true })
  }
  if (kind === "recovered") {
    yield* tell
    yield* mails
    const moment = yield* now
    yield* Effect.forEach(endpoints, (endpoint) => accept(endpoint, moment))
    yield* TestClock.adjust("1 day")
  }
  if (kind === "secret_ends") {
    const ends = DateTime.add(saturday, { minutes: 30 })
    yield* Effect.forEach(endpoints, (endpoint) => insertPreviousSecret(endpoint, 1, new Uint8Array([1]), ends))
  }
  yield* tell
})

const countOf = (counted: Metric.Metric.Snapshot | undefined) =>
  counted?.type === "Counter" ? Number(counted.state.count) : 0

const failed = { error: "http_status", status_code: 503 }

/** The notices: their mails, the start of the endpoints' hold, and the cause for operators. */
const happenings: ReadonlyArray<readonly [NoticeEvent, subject: string, since: DateTime.Utc, cause: object]> = [
  ["held", held, ago("1 hour"), failed],
  ["recovered", back, ago("1 hour"), {}],
  ["disabling", soon, ago("4 days"), failed],
  ["secret_ends", ending, ago("1 minute"), {}],
  ["disabled", disabled, ago("5 days"), failed]
]

layer(NoticesLayer)("Whoever is told", (it) => {
  it.effect.each(happenings)(
    "is an owner or admin of the club, and of no other to which the same happens: %s",
    ([kind, subject, since]) =>
      Effect.gen(function*() {
        const hosts = ["one.example", "two.example"]
        const made = yield* Effect.forEach(hosts, (host) =>
          Effect.gen(function*() {
            const endpoint = yield* heldSince(since, { url: `https://${host}/` })
            const { club, owner } = endpoint
            const admin = yield* makeMember(club, "admin")
            yield* Effect.forEach(["editor", "support", "viewer"] as const, (role) => makeMember(club, role))
            return { endpoint, mails: [owner, admin].map(({ email }) => [email, subject, [host]]) }
          }))
        yield* makeMember(yield* makeClub(), "owner")
        yield* mails
        yield* happenTo(made.map(({ endpoint }) => endpoint), kind)
        const sent = (yield* mails).map(({ recipient, subject, text }) => [
          recipient,
          subject,
          hosts.filter((host) => text.includes(host))
        ])
        assert.sameDeepMembers<unknown>(sent, made.flatMap(({ mails }) => mails))
      })
  )
})

layer(NoticesLayer)("Operators", (it) => {
  it.effect.each(happenings)(
    "are told by a line that always has the same name, and by a counter: %s",
    ([kind, , since, cause]) =>
      Effect.gen(function*() {
        const lines: Array<unknown> = []
        const logger = Logger.make(({ message }) => void lines.push(message))
        const counted = Effect.map(
          Metric.snapshot,
          (all) =>
            all.find(({ attributes, id }) => id === "turma_webhook_notices_total" && attributes?.["kind"] === kind)
        )
        const endpoint = yield* heldSince(since)
        const before = yield* counted
        yield* Effect.provide(happenTo([endpoint], kind), Logger.layer([logger]))
        const own = lines.filter((line) => JSON.stringify(line).includes(`"kind":"${kind}"`))
        assert.deepStrictEqual(own, [[
          "webhook_endpoint_notice",
          { kind, endpoint_id: endpoint.endpoint_id, ...cause }
        ]])
        yield* mails
        assert.strictEqual(countOf(yield* counted) - countOf(before), 1)
      })
  )
})

it.effect("A worker looks once a minute, for the first time a minute after its start", () =>
  Effect.gen(function*() {
    let looks = 0
    const Counting = Layer.succeed(Notices, { sendAll: Effect.sync(() => ++looks) })
    yield* Layer.build(noticesLayer({ every: "1 minute" }).pipe(Layer.provide(Counting)))
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual(looks, 0)
    yield* TestClock.adjust("61 seconds")
    assert.strictEqual(looks, 2)
  }))
