import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, send } from "../../../harness/App.ts"
import { eventually } from "../../../harness/Eventually.ts"
import {
  ask,
  classroom,
  fails,
  message,
  replyTo,
  say,
  sayNothing,
  Script,
  seen,
  shownCitation,
  text,
  used,
  work,
  WorldLayer
} from "../../World.ts"

layer(WorldLayer)("An answer", (it) => {
  it.effect("is completed with all that the assistant says", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      yield* work
      const { json } = yield* message(place, id)
      assert.deepStrictEqual(
        ["status", "content", "citations", "error_code", "completed_at"].map((field) => at(json, "data", field)),
        ["completed", "Com três dedos.", [shownCitation], null, "1970-01-01T00:00:00.000Z"]
      )
      assert.deepStrictEqual(yield* used(place), [1, 1])
    }))

  it.effect("is asked with the lesson, who asks and what was said before", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { asked } = yield* Script
      const first = yield* ask(place, "Primeira pergunta")
      yield* work
      yield* ask(place, "E depois?", { conversation_id: at(first.json, "data", "conversation", "id") })
      yield* work
      assert.deepStrictEqual<unknown>(asked.at(-1), {
        club_id: place.club.id,
        course_id: place.course.id,
        lesson_id: place.lesson.id,
        lesson_title: place.lesson.title,
        student_id: place.student.id,
        agent_name: "Assistant",
        locale: "en",
        content: "E depois?",
        history: [{ role: "user", content: "Primeira pergunta" }, { role: "assistant", content: "Com três dedos." }]
      })
    }))

  it.effect.each(["provider_unavailable", "provider_rate_limited", "answer_refused", "timeout"] as const)(
    "that fails with %s before a word costs nothing",
    (code) =>
      Effect.gen(function*() {
        const place = yield* classroom
        yield* say(code, fails(code))
        const id = yield* replyTo(place, code)
        yield* work
        assert.deepStrictEqual(yield* seen(place, id), ["failed", "", code])
        assert.deepStrictEqual(yield* used(place), [0, 0])
      })
  )

  it.effect("that fails after a word keeps its text and its price", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("half", Stream.concat(Stream.make(text("Com três")), fails("provider_unavailable")))
      const id = yield* replyTo(place, "half")
      yield* work
      assert.deepStrictEqual(yield* seen(place, id), ["failed", "Com três", "provider_unavailable"])
      assert.deepStrictEqual(yield* used(place), [1, 1])
    }))

  it.effect("without a word is a failure", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("empty", Stream.empty)
      const id = yield* replyTo(place, "empty")
      yield* work
      assert.deepStrictEqual(yield* seen(place, id), ["failed", "", "provider_unavailable"])
      assert.deepStrictEqual(yield* used(place), [0, 0])
    }))

  it.effect("has no character that cannot be stored", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("odd", Stream.make(text("a\u0000b\ud83c"), text("\udfb8\ud83c")))
      const id = yield* replyTo(place, "odd")
      yield* work
      assert.deepStrictEqual(yield* seen(place, id), ["completed", "ab🎸", null])
    }))

  it.effect("is generated once, however many workers there are", () =>
    Effect.gen(function*() {
      const { asked } = yield* Script
      const places = yield* Effect.forEach(Array.from({ length: 10 }), () => classroom)
      yield* Effect.forEach(places, (place) => ask(place, "once"), { concurrency: "unbounded" })
      yield* Effect.all(Array.from({ length: 10 }, () => work), { concurrency: "unbounded" })
      assert.lengthOf(asked.filter(({ content }) => content === "once"), 10)
    }))

  it.effect("ends with the removal of the student, of whom nothing stays", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const sql = yield* SqlClient.SqlClient
      const untilBegun = yield* sayNothing("removed")
      yield* ask(place, "kept")
      yield* work
      yield* ask(place, "removed")
      const working = yield* Effect.forkChild(work)
      yield* untilBegun
      const { path, token } = place.club
      const removed = yield* send("DELETE", `${path}/students/${place.student.id}`, { token })
      assert.strictEqual(removed.status, 204)
      yield* TestClock.adjust("5 seconds")
      yield* eventually(Effect.sync(() => working.pollUnsafe()), (exit) => exit !== undefined)
      for (const table of ["messages", "conversations", "assistant_days"]) {
        const rows = yield* sql`select 1 from ${sql(table)} where student_id = ${place.student.id}`
        assert.lengthOf(rows, 0, table)
      }
      const receipt = yield* send("GET", `${path}/students/${place.student.id}/erasure`, { token })
      assert.strictEqual(at(receipt.json, "data", "counts", "ask_messages"), 4)
      assert.strictEqual(at(receipt.json, "data", "counts", "ask_conversations"), 2)
    }))
})

layer(WorldLayer)("A growing answer", (it) => {
  it.effect("is written down while it comes", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const go = yield* Deferred.make<void>()
      yield* say(
        "slow",
        Stream.concat(
          Stream.make(text("Com ")),
          Stream.fromEffect(Effect.as(Deferred.await(go), text("três dedos.")))
        )
      )
      const id = yield* replyTo(place, "slow")
      const working = yield* Effect.forkChild(work)
      yield* eventually(seen(place, id), ([, content]) => content === "Com ")
      assert.deepStrictEqual(yield* seen(place, id), ["generating", "Com ", null])
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(working)
      assert.deepStrictEqual(yield* seen(place, id), ["completed", "Com três dedos.", null])
    }))
})

layer(WorldLayer)("An answer that takes too long", (it) => {
  it.effect("fails after 2 minutes and costs nothing", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const untilBegun = yield* sayNothing("never")
      const id = yield* replyTo(place, "never")
      const working = yield* Effect.forkChild(work)
      yield* untilBegun
      const rest = TestClock.adjust("5 seconds").pipe(Effect.andThen(seen(place, id)))
      yield* eventually(rest, ([status]) => status !== "generating")
      yield* Fiber.join(working)
      assert.deepStrictEqual(yield* seen(place, id), ["failed", "", "timeout"])
      assert.deepStrictEqual(yield* used(place), [0, 0])
    }))
})

layer(WorldLayer)("An answer that nobody began", (it) => {
  it.effect("fails after 2 minutes and costs nothing", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      yield* TestClock.adjust("2 minutes")
      yield* work
      assert.deepStrictEqual(yield* seen(place, id), ["failed", "", "timeout"])
      assert.deepStrictEqual(yield* used(place), [0, 0])
    }))
})
