import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, listAt, outcome, send } from "../../harness/App.ts"
import { ask, askPath, type Classroom, classroom, makeLearner, patchAgent, state, work, WorldLayer } from "../World.ts"

const idOf = (answer: { readonly json: unknown }, of = "conversation") => String(at(answer.json, "data", of, "id"))

/** All items of a list, in pages of this length. */
const pages = Effect.fnUntraced(function*({ student }: Classroom, path: string, limit: number) {
  const read: Array<ReadonlyArray<unknown>> = []
  let cursor = ""
  do {
    const { json, status, text } = yield* send("GET", `${path}?limit=${limit}${cursor}`, { token: student.token })
    assert.strictEqual(status, 200, text)
    read.push(listAt(json, "data"))
    const next = at(json, "next_cursor")
    cursor = typeof next === "string" ? `&cursor=${next}` : ""
  } while (cursor !== "")
  return read
})

const messagesPath = ({ club }: Classroom, id: string) => `${club.path}/classroom/ask/conversations/${id}/messages`

layer(WorldLayer)("A conversation", (it) => {
  it.effect("is read back to its beginning, beyond the 50 messages of the state", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { daily_limit: 100 })
      const id = idOf(yield* ask(place, "0"))
      for (let n = 1; n <= 28; n++) {
        yield* work
        yield* ask(place, String(n), { conversation_id: id })
      }
      yield* work
      const read = yield* pages(place, messagesPath(place, id), 50)
      assert.deepStrictEqual(read.map((page) => page.length), [50, 8])
      const shown = listAt((yield* state(place)).json, "data", "messages")
      assert.deepStrictEqual(read[0]?.toReversed(), shown)
      const asked = read.flat().filter((one) => at(one, "role") === "user").map((one) => at(one, "content"))
      assert.deepStrictEqual(asked, Array.from({ length: 29 }, (_, n) => String(28 - n)))
      assert.lengthOf(new Set((yield* pages(place, messagesPath(place, id), 7)).flat().map((one) => at(one, "id"))), 58)
    }))

  it.effect("keeps its pages while more is asked", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const first = yield* ask(place, "A")
      const id = idOf(first)
      yield* work
      const path = `${messagesPath(place, id)}?limit=1`
      const { json } = yield* send("GET", path, { token: place.student.token })
      yield* ask(place, "B", { conversation_id: id })
      const next = yield* send("GET", `${path}&cursor=${String(at(json, "next_cursor"))}`, place.student)
      assert.deepStrictEqual(listAt(next.json, "data").map((one) => at(one, "id")), [idOf(first, "message")])
      assert.strictEqual(at(next.json, "next_cursor"), null)
      assert.deepStrictEqual(outcome(yield* send("GET", `${path}&cursor=x`, place.student)), [400, "invalid_cursor"])
    }))
})

layer(WorldLayer)("The conversations on a lesson", (it) => {
  it.effect("are this person's, the newest first, and each can be read", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const path = `${askPath(place)}/conversations`
      assert.deepStrictEqual(yield* pages(place, path, 25), [[]])
      yield* ask({ ...place, student: yield* makeLearner(place.club, place.delivery) }, "De outra pessoa")
      const asked = yield* Effect.forEach(["Um", "Dois", "Três"], (content) =>
        Effect.tap(ask(place, content), TestClock.adjust("1 second")))
      const read = yield* pages(place, path, 2)
      assert.deepStrictEqual(
        read.map((page) =>
          page.map((one) => at(one, "title"))
        ),
        [["Três", "Dois"], ["Um"]]
      )
      assert.deepStrictEqual(read.flat(), asked.toReversed().map(({ json }) => at(json, "data", "conversation")))
      const first = asked[0] ?? assert.fail("Nothing was asked")
      const one = yield* send("GET", `${place.club.path}/classroom/ask/conversations/${idOf(first)}`, place.student)
      assert.deepStrictEqual(at(one.json, "data"), at(first.json, "data", "conversation"))
      assert.strictEqual(one.headers["cache-control"], "no-store")
    }))
})
