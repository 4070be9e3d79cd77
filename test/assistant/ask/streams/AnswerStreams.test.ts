import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AnswerFailed, type AnswerPart } from "../../../../src/assistant/providers/Assistant.ts"
import { at, outcome, send } from "../../../harness/App.ts"
import { eventsIn } from "../../../harness/EventStream.ts"
import { SpansLayer, statements } from "../../../harness/Statements.ts"
import {
  cancel,
  citation,
  classroom,
  makeLearner,
  message,
  messagePath,
  replyTo,
  say,
  shownCitation,
  text,
  work,
  WorldLayer
} from "../../World.ts"
import { follow, followed, textOf } from "./Listener.ts"

const cited: AnswerPart = { _tag: "Citation", citation }

layer(WorldLayer)("The stream of an answer that has ended", (it) => {
  it.effect("tells its text, its citations and the message, and ends", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      yield* work
      const { events, headers, status, wire } = yield* followed(place, id)
      assert.strictEqual(status, 200)
      assert.match(String(headers.get("content-type")), /^text\/event-stream/)
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.isTrue(wire.startsWith("retry: 1000\n\n"))
      assert.deepStrictEqual(events, [
        { id: "15", event: "message.delta", data: { text: "Com três dedos." } },
        { id: "15.1", event: "message.citation", data: { citation: shownCitation } },
        { id: "15.1", event: "message.completed", data: { message: at((yield* message(place, id)).json, "data") } }
      ])
    }))

  it.effect("ends with the error of a failure, and with the message where it was canceled", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("half", Stream.concat(Stream.make(text("Com")), Stream.fail(new AnswerFailed({ code: "timeout" }))))
      const failed = yield* replyTo(place, "half")
      yield* work
      assert.deepStrictEqual((yield* followed(place, failed)).events, [
        { id: "3", event: "message.delta", data: { text: "Com" } },
        { id: "3", event: "message.failed", data: { error_code: "timeout" } }
      ])
      const canceled = yield* replyTo(place)
      const answer = yield* cancel(place, canceled)
      assert.deepStrictEqual((yield* followed(place, canceled)).events, [
        { id: "0", event: "message.canceled", data: { message: at(answer.json, "data") } }
      ])
    }))

  it.effect("goes on from every character, without losing or repeating one", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const whole = "Dó maior 🎸\né com três dedos.\r\n\r\nfim"
      yield* say("whole", Stream.make(text(whole), cited, cited))
      const id = yield* replyTo(place, "whole")
      yield* work
      const letters = Array.from(whole)
      for (let told = 0; told <= letters.length; told++) {
        const { events } = yield* followed(place, id, String(told))
        assert.strictEqual(textOf(events), letters.slice(told).join(""))
        assert.lengthOf(events.filter(({ event }) => event === "message.citation"), 2)
      }
      for (const told of [0, 1, 2]) {
        const { events } = yield* followed(place, id, told === 0 ? `${letters.length}` : `${letters.length}.${told}`)
        assert.lengthOf(events.filter(({ event }) => event === "message.citation"), 2 - told)
        assert.deepStrictEqual(events.at(-1)?.event, "message.completed")
      }
      const beyond = yield* followed(place, id, "999999.9")
      assert.deepStrictEqual(beyond.events.map(({ event }) => event), ["message.completed"])
      assert.strictEqual(textOf((yield* followed(place, id, "nonsense")).events), whole)
    }))

  it.effect("is the student's own", () =>
    Effect.gen(function*() {
      const [place, foreign] = [yield* classroom, yield* classroom]
      const id = yield* replyTo(place)
      const path = `${messagePath(place, id)}/stream`
      const other = yield* makeLearner(place.club, place.delivery)
      assert.deepStrictEqual(outcome(yield* send("GET", path, { token: other.token })), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* send("GET", path, { token: foreign.student.token })), [403, "forbidden"])
      const there = `${messagePath(foreign, id)}/stream`
      assert.deepStrictEqual(outcome(yield* send("GET", there, { token: foreign.student.token })), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* send("GET", path)), [401, "unauthenticated"])
    }))
})

layer(WorldLayer)("The stream of a growing answer", (it) => {
  it.effect("tells what comes as it comes, and whoever comes back hears the rest", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const [second, third] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const after = (gate: Deferred.Deferred<void>, part: AnswerPart) =>
        Stream.fromEffect(Effect.as(Deferred.await(gate), part))
      const parts = Stream.make(text("Com ")).pipe(
        Stream.concat(after(second, text("três 🎸 "))),
        Stream.concat(after(third, text("dedos.")))
      )
      yield* say("growing", parts)
      const id = yield* replyTo(place, "growing")
      const [early, whole] = [yield* follow(place, id), yield* follow(place, id)]
      yield* Effect.forkScoped(work)
      yield* early.until(({ wire }) => textOf(eventsIn(wire)) === "Com ")
      yield* Deferred.succeed(second, undefined)
      yield* early.until(({ wire }) => textOf(eventsIn(wire)) === "Com três 🎸 ")
      yield* early.close
      yield* Deferred.succeed(third, undefined)
      yield* whole.until(({ ended }) => ended)
      const told = eventsIn(early.heard.wire)
      assert.strictEqual(told.at(-1)?.id, "11")
      const rest = yield* followed(place, id, told.at(-1)?.id)
      assert.deepStrictEqual(rest.events.map(({ event }) => event), ["message.delta", "message.completed"])
      assert.strictEqual(textOf(rest.events), "dedos.")
      assert.strictEqual(textOf(eventsIn(whole.heard.wire)), "Com três 🎸 dedos.")
    })))
})

layer(WorldLayer)("The stream of a silent answer", (it) => {
  it.effect("has a comment every 15 seconds, and ends after 3 minutes", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      const { heard, until } = yield* follow(place, id)
      yield* until(({ wire }) => wire.includes("retry"))
      yield* until(({ wire }) => wire.includes("\n\n: still there\n\n"))
      yield* until(({ ended }) => ended)
      const comments = heard.wire.split("\n\n").filter((block) => block.startsWith(":"))
      assert.isAtMost(comments.length, 12)
      assert.deepStrictEqual(eventsIn(heard.wire), [])
    })))
})

layer(WorldLayer)("The stream of a session that ends", (it) => {
  it.effect("ends with it, and tells nothing more", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      const { heard, until } = yield* follow(place, id)
      yield* until(({ wire }) => wire.includes("retry"))
      yield* send("DELETE", "/v1/auth/session", { token: place.student.token })
      yield* work
      yield* until(({ ended }) => ended)
      assert.deepStrictEqual(eventsIn(heard.wire), [])
    })))
})

const TracedLayer = WorldLayer.pipe(Layer.provideMerge(SpansLayer))

layer(TracedLayer)("A stream that nobody listens to", (it) => {
  it.effect("is not looked after any more", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const sql = yield* SqlClient.SqlClient
      const id = yield* replyTo(place)
      const stream = yield* follow(place, id)
      yield* stream.until(({ wire }) => wire !== "")
      const looks = Effect.map(
        statements(Effect.andThen(TestClock.adjust("1 second"), sql`select 1`)),
        (all) => all.filter((one) => one.startsWith("select status, substr"))
      )
      while ((yield* looks).length === 0) yield* Effect.yieldNow
      yield* stream.close
      let silent = 0
      while (silent < 20) silent = (yield* looks).length === 0 ? silent + 1 : 0
      assert.strictEqual(at((yield* message(place, id)).json, "data", "status"), "generating")
    })))
})
