import { assert, describe, it, vi } from "@effect/vitest"
import { getEventListeners } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import type { TurmaOptions } from "../../src/sdk/index.ts"
import { type Answering, clubId, collected, failureOf, refusal, scripted } from "./Scripted.ts"

const params = { clubId, messageId: "1" }
const delta = (id: string) => `id: ${id}\nevent: message.delta\ndata: {"text":"a"}\n\n`

const hanging: Answering = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
const deaf: Answering = () => new Promise(() => {})
const later: Answering = () => refusal(503, "temporarily_unavailable", { "retry-after": "60" })
const withoutEnd = (type: string, begin = "", status = 200): Answering => () =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        if (begin !== "") controller.enqueue(new TextEncoder().encode(begin))
      }
    }),
    { status, headers: { "content-type": type } }
  )
const never = async (): Promise<string> => new Promise(() => {})

/** The pending timers of more than a second. Stops watching when it is called. */
const watchedTimers = () => {
  const set = vi.spyOn(globalThis, "setTimeout")
  const clear = vi.spyOn(globalThis, "clearTimeout")
  return () => {
    const made = set.mock.calls.flatMap(([, delay = 0], place) => delay > 1000 ? [set.mock.results[place]?.value] : [])
    const cleared = new Set<unknown>(clear.mock.calls.map(([timer]) => timer))
    vi.restoreAllMocks()
    return made.filter((timer) => !cleared.has(timer))
  }
}

type Use = (turma: ReturnType<typeof scripted>["turma"], signal: AbortSignal) => PromiseLike<unknown>

const me: Use = (turma, signal) => turma.account.me({}, { signal })
const list: Use = (turma, signal) => collected(turma.students.list({ clubId }, { signal }))
const stream: Use = (turma, signal) => collected(turma.ask.stream(params, { signal }))

const moments: ReadonlyArray<readonly [string, Use, Answering, Partial<TurmaOptions>]> = [
  ["while the token is asked for", me, hanging, { token: never }],
  ["during a request", me, hanging, {}],
  ["during a request of a fetch that takes no notice", me, deaf, {}],
  ["during the body of an answer", me, withoutEnd("application/json"), {}],
  ["during the body of a refusal", me, withoutEnd("application/json", "{", 404), {}],
  ["during the wait for another attempt", me, later, {}],
  ["during the page of a list", list, hanging, {}],
  ["while the token of a stream is asked for", stream, hanging, { token: never }],
  ["before a stream begins", stream, deaf, {}],
  ["while a stream is silent", stream, withoutEnd("text/event-stream", delta("1")), {}],
  ["during the wait for another connection", stream, later, {}]
]

describe("a signal that is aborted", () => {
  it.each(moments)(
    "%s ends it with its reason, and leaves neither timer nor listener",
    async (_, use, answering, options) => {
      const timersLeft = watchedTimers()
      const controller = new AbortController()
      const reason = new Error("enough")
      const { sent, turma } = scripted([answering], options)
      const failing = failureOf(use(turma, controller.signal))
      await sleep(20)
      controller.abort(reason)
      const failure = await failing
      assert.strictEqual(failure, reason)
      assert.deepStrictEqual(getEventListeners(controller.signal, "abort"), [])
      assert.deepStrictEqual(timersLeft(), [])
      if (sent[0] !== undefined) assert.isTrue(sent[0].signal.aborted)
    }
  )

  it("between two events of one part of a stream brings no more of them", async () => {
    const controller = new AbortController()
    const { turma } = scripted([withoutEnd("text/event-stream", delta("1") + delta("2") + delta("3"))])
    const seen: Array<string | undefined> = []
    const failure = await failureOf((async () => {
      for await (const { id } of turma.ask.stream(params, { signal: controller.signal })) {
        seen.push(id)
        if (id === "2") controller.abort("enough")
      }
    })())
    assert.deepStrictEqual([failure, seen], ["enough", ["1", "2"]])
  })

  it("after the end changes nothing", async () => {
    const controller = new AbortController()
    const { sent, turma } = scripted([
      new Response("{\"data\":{}}", { headers: { "content-type": "application/json" } })
    ])
    await turma.account.me({}, { signal: controller.signal })
    assert.deepStrictEqual(getEventListeners(controller.signal, "abort"), [])
    controller.abort("late")
    await turma.account.me()
    assert.strictEqual(sent.length, 2)
  })
})
