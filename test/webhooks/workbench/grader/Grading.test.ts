import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { OrganizationId } from "../../../../src/identity/ids/ClubId.ts"
import { judge } from "../../../../src/webhooks/workbench/grader/judge.ts"
import type { Probe } from "../../../../src/webhooks/workbench/grader/Probe.ts"
import { runProbes } from "../../../../src/webhooks/workbench/grader/runProbes.ts"
import { startRawReceiver, startReceiver, startTcpReceiver } from "../../../harness/Receiver.ts"
import { testCa } from "../../../harness/Tls.ts"
import { startSender } from "../../send/Sending.ts"
import { key, planted, privateKey, right, rightByPublicKey } from "./Receivers.ts"

// Real receivers on the loopback interface, over TLS and in real time, with the sender of every delivery.

const ca = testCa()

const ground = {
  grading_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
  club_id: OrganizationId.make("1f8b6c0d-2a3b-4c5d-8e6f-7a8b9c0d1e2f"),
  endpoint_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a05",
  signers: { secrets: [key], keys: [] }
}

const signings = {
  hmac: ground.signers,
  both: { secrets: [key], keys: [privateKey] }
}

interface Options extends NonNullable<Parameters<typeof startSender>[0]> {
  readonly signing?: keyof typeof signings
}

const gradeAt = Effect.fnUntraced(function*(url: string, { signing = "hmac", ...options }: Options = {}) {
  const { sendWhole } = yield* startSender({ ca, ...options })
  const send = ({ body, headers }: Probe) =>
    Effect.map(
      sendWhole({ url, headers, body }),
      ({ connection_reused, error, response_body, seen, status_code }) => ({
        connection_reused,
        error,
        response_body,
        seen: seen ?? null,
        status_code
      })
    )
  return judge(yield* runProbes({ ...ground, signers: signings[signing] }, send))
}, Effect.provide(SecureRandom.layerWebCrypto))

const codesOf = ({ findings }: ReturnType<typeof judge>) => findings.map(({ code }) => code)

describe("A receiver without a fault", () => {
  it.live.each(Object.keys(right))("gets an A and is accused of nothing: %s", (name) =>
    Effect.gen(function*() {
      const answer = right[name]
      const receiver = yield* startReceiver({ ca, ...(answer === undefined ? {} : { answer: answer() }) })
      const report = yield* gradeAt(receiver.url)
      assert.deepStrictEqual([report.grade, report.findings], ["A", []])
      assert.strictEqual(report.observations.length, 13)
      assert.strictEqual(report.dedupes, name.includes("repeats") ? "told" : "unknown")
    }).pipe(Effect.scoped))
})

describe("A receiver that knows only the public key", () => {
  it.live.each(Object.keys(rightByPublicKey))(
    "gets an A and is accused of nothing: %s",
    (name) =>
      Effect.gen(function*() {
        const answer = rightByPublicKey[name]
        const receiver = yield* startReceiver({ ca, ...(answer === undefined ? {} : { answer: answer() }) })
        const report = yield* gradeAt(receiver.url, { signing: "both" })
        assert.deepStrictEqual([report.grade, report.findings, report.observations.length], ["A", [], 13])
        assert.strictEqual(report.dedupes, name.includes("repeats") ? "told" : "unknown")
      }).pipe(Effect.scoped)
  )
})

describe("A receiver with a fault", () => {
  it.live.each(planted)(
    "that $fault is accused of exactly that",
    ({ codes, deadline = "15 seconds", grade, receiver, signing }) =>
      Effect.gen(function*() {
        const { answerWith, dropConnections, url } = yield* startReceiver({ ca })
        answerWith(receiver(() => Effect.runSync(dropConnections)))
        const report = yield* gradeAt(url, {
          signing: signing ?? "hmac",
          variables: { WEBHOOK_ATTEMPT_TIMEOUT: deadline }
        })
        assert.deepStrictEqual([codesOf(report), report.grade], [codes, grade])
      }).pipe(Effect.scoped)
  )

  it.live("that takes 6 seconds is called slow", () =>
    Effect.gen(function*() {
      const clock = yield* Clock.Clock
      let added = 0n
      const answer = right["the SDK"]?.() ?? {}
      const { url } = yield* startReceiver({
        ca,
        answer: (request) => {
          added += 6_000_000_000n
          return typeof answer === "function" ? answer(request) : answer
        }
      })
      const report = yield* gradeAt(url).pipe(Effect.provideService(Clock.Clock, {
        ...clock,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        sleep: (duration) => clock.sleep(duration),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe() + added,
        monotonicTimeNanos: Effect.map(clock.monotonicTimeNanos, (nanos) => nanos + added)
      }))
      assert.deepStrictEqual([codesOf(report), report.grade], [["slow"], "B"])
    }).pipe(Effect.scoped))

  it.live("that ends TLS before its handshake is over is only not reached", () =>
    Effect.gen(function*() {
      const { url } = yield* startTcpReceiver((socket) => socket.destroy())
      const report = yield* gradeAt(url)
      assert.deepStrictEqual([codesOf(report), report.grade], [["not_reached"], "F"])
      assert.strictEqual(report.observations.length, 2)
    }).pipe(Effect.scoped))

  it.live("whose certificate nobody trusts is only not reached, by TLS", () =>
    Effect.gen(function*() {
      const { url } = yield* startReceiver({ ca: testCa() })
      const report = yield* gradeAt(url)
      assert.deepStrictEqual(codesOf(report), ["not_reached"])
      assert.include(report.findings[0]?.message ?? "", "tls")
    }).pipe(Effect.scoped))

  it.live("that ends each connection without an answer is only not reached", () =>
    Effect.gen(function*() {
      const { url } = yield* startRawReceiver((socket) => void socket.once("data", () => socket.destroy()), { ca })
      assert.deepStrictEqual(codesOf(yield* gradeAt(url)), ["not_reached"])
    }).pipe(Effect.scoped))

  it.live("is not reached at an address that may not be reached, and no probe leaves", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ ca })
      const report = yield* gradeAt(receiver.url, { allowed: "" })
      assert.deepStrictEqual(codesOf(report), ["not_reached"])
      assert.include(report.findings[0]?.message ?? "", "address_not_allowed")
      assert.strictEqual(receiver.requests.length, 0)
    }).pipe(Effect.scoped))
})

describe("A probe", () => {
  it.live("is a webhook.test that says that it is one, and that it is of a grading", () =>
    Effect.gen(function*() {
      const receiver = yield* startReceiver({ ca })
      yield* gradeAt(receiver.url)
      assert.strictEqual(receiver.requests.length, 13)
      for (const { body, headers } of receiver.requests) {
        const said = JSON.parse(body.toString())
        assert.strictEqual(said.type, "webhook.test")
        assert.strictEqual(said.data.grading.id, ground.grading_id)
        assert.strictEqual(said.id, headers["webhook-id"])
      }
      const ids = receiver.requests.map(({ headers }) => headers["webhook-id"])
      assert.strictEqual(new Set(ids).size, 12)
      assert.isTrue(receiver.requests.some(({ body }) => body.length > 200_000))
    }).pipe(Effect.scoped))
})
