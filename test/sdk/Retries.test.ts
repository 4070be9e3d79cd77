import { assert, describe, it } from "@effect/vitest"
import { getEventListeners } from "node:events"
import { isTransient, parseRetryAfter, waitAfter } from "../../src/sdk/attempts/Retries.ts"
import { TurmaConnectionError, TurmaError, TurmaTimeoutError } from "../../src/sdk/index.ts"
import { answer, type Answering, clubId, failureOf, refusal, scripted } from "./Scripted.ts"

const body = { name: "Bia Lima", email: "bia@example.com" }
const done = answer(200, { data: {} })
const broken: Answering = () => {
  throw new TypeError("fetch failed")
}
const hanging: Answering = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))

const unavailable = (retryAfter: string) => refusal(503, "temporarily_unavailable", { "retry-after": retryAfter })

describe("what is tried again", () => {
  it.each([408, 429, 500, 502, 503, 504])("is an answer %i", async (status) => {
    const { sent, turma } = scripted([refusal(status, "some_code"), done])
    await turma.account.me()
    assert.strictEqual(sent.length, 2)
  })

  it.each([400, 401, 403, 404, 409, 413, 422, 501, 507])("is no answer %i", async (status) => {
    const { sent, turma } = scripted([refusal(status, "some_code"), done])
    assert.instanceOf(await failureOf(turma.account.me()), TurmaError)
    assert.strictEqual(sent.length, 1)
  })

  it("is a connection that fails, and an answer that is cut off", async () => {
    const cut = new Response("{\"data\":{\"na", { headers: { "content-type": "application/json" } })
    const { sent, turma } = scripted([broken, cut, done])
    await turma.account.me()
    assert.strictEqual(sent.length, 3)
  })

  it("is a creation while its first request still runs", async () => {
    const { sent, turma } = scripted([refusal(409, "idempotency_in_progress"), answer(201, { data: {} })])
    await turma.students.create({ clubId, body })
    assert.strictEqual(sent.length, 2)
  })

  it("is what can be repeated: PUT and DELETE, but no PATCH and no POST without a key", async () => {
    const { sent, turma } = scripted([broken, done, broken, new Response(null, { status: 204 }), broken])
    await turma.gamification.replaceLevels({ clubId, body: { levels: [] } })
    await turma.students.remove({ clubId, studentId: "1" })
    await failureOf(turma.students.update({ clubId, studentId: "1", body: { name: "Bia" } }))
    await failureOf(turma.lives.open({ clubId, liveId: "1" }))
    assert.deepStrictEqual(sent.map(({ method }) => method), ["PUT", "PUT", "DELETE", "DELETE", "PATCH", "POST"])
  })

  it("is tried as often as was said, and the last failure is told", async () => {
    const { sent, turma } = scripted([broken, refusal(500, "internal_error", { "x-request-id": "abc" })], {
      retries: 1
    })
    const failure = await failureOf(turma.account.me())
    assert.deepStrictEqual(
      failure instanceof TurmaError && [failure.status, failure.code, failure.message, failure.requestId],
      [500, "internal_error", "It is internal_error", "abc"]
    )
    assert.strictEqual(sent.length, 2)
    await failureOf(turma.account.me({}, { retries: 0 }))
    assert.strictEqual(sent.length, 3)
  })
})

describe("Retry-After", () => {
  it("is waited for", async () => {
    const { turma } = scripted([unavailable("1"), done])
    const start = performance.now()
    await turma.account.me()
    assert.isAtLeast(performance.now() - start, 990)
  })

  it("is told instead, if it is longer than the call may last", async () => {
    const { sent, turma } = scripted([refusal(429, "rate_limited", { "retry-after": "86400" }), done])
    const failure = await failureOf(turma.account.me())
    assert.deepStrictEqual(failure instanceof TurmaError && [failure.code, failure.retryAfter], ["rate_limited", 86400])
    assert.strictEqual(sent.length, 1)
  })

  it("may be seconds or a date, and anything else is nothing", () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    assert.deepStrictEqual([parseRetryAfter("7"), parseRetryAfter("0")], [7, 0])
    assert.closeTo(parseRetryAfter(inAMinute) ?? 0, 60, 2)
    assert.strictEqual(parseRetryAfter(new Date(0).toUTCString()), 0)
    for (const text of [null, "", "-1", "1.5", "soon", "12:30", "9".repeat(30)]) {
      assert.isUndefined(parseRetryAfter(text))
    }
  })
})

describe("the wait before another attempt", () => {
  const failure = new TurmaConnectionError("It failed")

  it.each([[0, 500], [1, 1000], [3, 4000], [4, 8000], [60, 8000]])(
    "after %i is anything up to %i ms",
    (failures, bound) => {
      const waits = Array.from({ length: 2000 }, () => waitAfter(failures, failure))
      assert.isBelow(Math.max(...waits), bound)
      assert.isBelow(Math.min(...waits), bound * 0.05)
      assert.isAbove(Math.max(...waits), bound * 0.95)
      assert.closeTo(waits.reduce((sum, wait) => sum + wait, 0) / waits.length, bound / 2, bound * 0.05)
    }
  )

  it("is as long as the service asks for at least", () => {
    assert.strictEqual(waitAfter(0, new TurmaError({ code: "rate_limited", message: "", retryAfter: 30 })), 30_000)
  })
})

describe("the time of a call", () => {
  it("ends an attempt that hangs, and tells it apart from a lost connection", async () => {
    const { sent, turma } = scripted([hanging], { timeout: 30, retries: 0 })
    const failure = await failureOf(turma.account.me())
    assert.instanceOf(failure, TurmaTimeoutError)
    assert.strictEqual(failure.code, "timed_out")
    assert.isTrue(sent[0]?.signal.aborted)
  })

  it("ends it also where fetch takes no notice, and where the body does not come", async () => {
    const deaf = scripted([() => new Promise(() => {})], { timeout: 30, retries: 0 })
    assert.instanceOf(await failureOf(deaf.turma.account.me()), TurmaTimeoutError)
    const silent = () => new Response(new ReadableStream(), { headers: { "content-type": "application/json" } })
    const slow = scripted([silent], { timeout: 30, retries: 0 })
    assert.instanceOf(await failureOf(slow.turma.account.me()), TurmaTimeoutError)
  })

  it("bounds all attempts together", async () => {
    const { sent, turma } = scripted([hanging], { timeout: 60_000, totalTimeout: 200, retries: 1000 })
    const start = performance.now()
    assert.instanceOf(await failureOf(turma.account.me()), TurmaTimeoutError)
    assert.isBelow(performance.now() - start, 5000)
    assert.isAtMost(sent.length, 3)
  })

  it("may be longer than a timer can wait", async () => {
    const { turma } = scripted([done], { timeout: Number.POSITIVE_INFINITY, totalTimeout: 1e15 })
    await turma.account.me()
  })
})

describe("a signal", () => {
  const reason = new Error("enough")

  it("ends a call that has not begun: nothing is sent", async () => {
    const { sent, turma } = scripted([done])
    assert.strictEqual(await failureOf(turma.account.me({}, { signal: AbortSignal.abort(reason) })), reason)
    assert.strictEqual(sent.length, 0)
  })

  it.each([
    ["the request", hanging],
    ["the body", () => new Response(new ReadableStream(), { headers: { "content-type": "application/json" } })],
    ["the wait for another attempt", unavailable("60")]
  ])("ends a call during %s, with its reason", async (_, answering) => {
    const controller = new AbortController()
    const { sent, turma } = scripted([answering])
    setTimeout(() => controller.abort(reason), 30)
    assert.strictEqual(await failureOf(turma.account.me({}, { signal: controller.signal })), reason)
    assert.strictEqual(sent.length, 1)
  })

  it("is let go of when the call has ended", async () => {
    const { signal } = new AbortController()
    await scripted([unavailable("0"), done]).turma.account.me({}, { signal })
    assert.deepStrictEqual(getEventListeners(signal, "abort"), [])
  })
})

describe("who hears of answers", () => {
  const mistake = new TypeError("a mistake of the caller's")
  const onResponse = () => {
    throw mistake
  }

  it("fails the call with their own mistake, which is no connection to be tried again", async () => {
    const { sent, turma } = scripted([done], { onResponse })
    assert.strictEqual(await failureOf(turma.account.me()), mistake)
    const stream = turma.ask.stream({ clubId, messageId: "1" })
    assert.strictEqual(await failureOf(stream.next()), mistake)
    assert.strictEqual(sent.length, 2)
    assert.isTrue(sent.every(({ signal }) => signal.aborted))
  })
})

describe("what may pass", () => {
  it("is nothing that leads elsewhere or that is no failure of ours", () => {
    assert.isFalse(isTransient(new TurmaError({ code: "redirected", message: "", status: 503 })))
    assert.isFalse(isTransient(new Error("a mistake")))
  })
})
