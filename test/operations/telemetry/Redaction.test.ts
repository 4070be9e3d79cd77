import { assert, describe, it } from "@effect/vitest"
import { Cause, Console, Data, DateTime, Effect, Exit, Logger, Option, Redacted, Schema } from "effect"
import { SqlError } from "effect/sql"
import { formatWithOptions, type InspectOptions, stripVTControlCharacters } from "node:util"
import {
  jsonLogger,
  prettyLogger,
  redactedJson,
  withoutAddresses,
  withoutKeys
} from "../../../src/operations/telemetry/Redaction.ts"
import { LoggedRequest } from "../../../src/platform/http/server/RequestLog.ts"

/** A logger's output, as a terminal with these options shows it. */
const saidBy = Effect.fnUntraced(function*(
  logger: Logger.Logger<unknown, void>,
  log: Effect.Effect<void>,
  options: InspectOptions = { depth: 9 }
) {
  const lines: Array<string> = []
  const said = (...parts: ReadonlyArray<unknown>) => void lines.push(formatWithOptions(options, ...parts))
  yield* log.pipe(
    Effect.provide(Logger.layer([logger])),
    Effect.provideService(
      Console.Console,
      new Proxy(console, { get: (_, name) => name === "log" ? said : () => undefined })
    )
  )
  return lines.join("\n")
})

const loggers = [["for people", prettyLogger], ["of JSON", jsonLogger]] as const

class Person extends Data.Class<{ readonly email: string; readonly age: number }> {}

const row = Object.assign(new Error("duplicate key for ana@example.com"), {
  detail: "Key (email)=(bia@example.com) already exists"
})
const sqlError = new SqlError.SqlError({
  reason: new SqlError.UnknownError({ cause: row, message: "No bia@example.com" })
})
const address = Schema.String.check(Schema.makeFilter((text) => `not ${text}`))
const schemaError = Option.getOrThrow(Exit
  .findErrorOption(Effect.runSyncExit(Schema.decodeEffect(Schema.Struct({ address }))({ address: "ana@example.com" }))))
const circle: Record<string, unknown> = { to: "ana@example.com" }
circle["self"] = circle

const values: ReadonlyArray<readonly [string, unknown, string]> = [
  ["a text", "to ana@example.com", "to <address>"],
  ["a text of lines", "to\nana@example.com", "<address>"],
  ["an error", row, "duplicate key for <address>"],
  ["an error of the database", sqlError, "duplicate key for <address>"],
  ["an error of a schema", schemaError, "not <address>"],
  ["a plain object", { to: "ana@example.com", n: 7 }, "<address>"],
  ["an object that is frozen, of itself", Object.freeze(circle), "<address>"],
  ["an object by addresses", { "ana@example.com": 7, "bia@example.com": 8 }, "<address>"],
  ["a list", ["kept", "ana@example.com"], "<address>"],
  ["objects in lists in objects", { all: [{ to: { whom: "ana@example.com" } }] }, "<address>"],
  ["an error in an object", { why: row }, "duplicate key for <address>"],
  ["what has a class", new Person({ email: "ana@example.com", age: 7 }), "<address>"],
  ["an option", Option.some("ana@example.com"), "<address>"],
  ["a URL", new URL("http://a/?search=ana%40example.com"), "search=<address>"]
]

const key = "turma_h7Tq2XwA_0J8dPq3ZkVw1RrT6bYc9NfXeLmHs2GuA5tKvQyDoB7iEj4xWl"

describe("A log line", () => {
  it.each([
    ["Key (email)=(bia@example.com) already exists", "Key (email)=(<address>) already exists"],
    ["5.1.1 <bia.lima+x@mail.example> unknown", "5.1.1 <<address>> unknown"],
    ["/students?search=bia%40example.com&limit=1", "/students?search=<address>&limit=1"],
    ["josé@exemplo.br e ana@localhost", "<address> e <address>"],
    ["at file:///app/node_modules/@effect/sql-pg/x.ts:1:2", "at file:///app/node_modules/@effect/sql-pg/x.ts:1:2"],
    ["'ana@example.com' of o'brien@example.com", "'<address>' of <address>"],
    ["@turma and a@ and @", "@turma and a@ and @"],
    ["Mail written .data/mail/20261122T074139.123Z-*.eml", "Mail written .data/mail/20261122T074139.123Z-*.eml"]
  ])("%s is told as %s", (said, told) => {
    assert.strictEqual(withoutAddresses(said), told)
  })

  it.each([
    [`Bearer ${key}`, "Bearer turma_h7Tq2XwA_<key>"],
    [`?key=${key}&a=1`, "?key=turma_h7Tq2XwA_<key>&a=1"],
    [`${key.slice(0, -6)} ${key}`, "turma_h7Tq2XwA_<key> turma_h7Tq2XwA_<key>"],
    ["turma_http_requests_total of turma_h7Tq2XwA_", "turma_http_requests_total of turma_h7Tq2XwA_"]
  ])("%s is told as %s", (said, told) => {
    assert.strictEqual(withoutKeys(said), told)
  })

  it.effect.each(loggers)("%s names no key, wherever it stands", ([, logger]) =>
    Effect.gen(function*() {
      const logs = [
        Effect.logError(key),
        Effect.logError("It failed", { headers: { authorization: `Bearer ${key}` } }),
        Effect.logError("It failed", Cause.die(new Error(`no ${key}`))),
        Effect.logInfo("Done").pipe(Effect.annotateLogs(key, key), Effect.withLogSpan(key))
      ]
      for (const log of logs) assert.notInclude(yield* saidBy(logger, log), key.slice(15))
    }))

  it.effect("of a request is one for people", () =>
    Effect.gen(function*() {
      const request = { method: "GET", route: "/v1/health", status: 503, code: "temporarily_unavailable", millis: 7 }
      const said = yield* saidBy(prettyLogger, Effect.provideService(Effect.logInfo("Request"), LoggedRequest, request))
      assert.match(
        stripVTControlCharacters(said),
        /^\[\d\d:\d\d:\d\d\.\d{3}\] GET \/v1\/health 503 temporarily_unavailable 7 ms$/
      )
    }))

  it("is looked through in a time that grows with its length alone", () => {
    const began = performance.now()
    withoutAddresses(`${"a".repeat(200_000)} x@y`)
    assert.isBelow(performance.now() - began, 5000)
  })

  it.effect
    .each(loggers.flatMap(([name, logger]) =>
      values.map(([what, value, told]) => [name, what, logger, value, told] as const)
    ))("%s names no address of %s, wherever it stands", ([, , logger, value, told]) =>
      Effect.gen(function*() {
        const logs = [
          Effect.logError(value),
          Effect.logError("It failed", value),
          Effect.logError("It failed", Cause.die(value)),
          Effect.annotateLogs(Effect.logError("It failed"), { value })
        ]
        for (const log of logs) {
          const said = yield* saidBy(logger, log)
          assert.notMatch(said, /(@|%40)example/)
          assert.include(said, "<address>")
          if (logger === jsonLogger) JSON.parse(said)
        }
        assert.include(yield* saidBy(logger, Effect.logError("It failed", value)), told)
      }))

  it.effect.each(loggers)(
    "%s names no address by which it is annotated or timed",
    ([, logger]) =>
      Effect.gen(function*() {
        const said = yield* saidBy(
          logger,
          Effect.logInfo("Done").pipe(Effect.annotateLogs("ana@example.com", 7), Effect.withLogSpan("ana@example.com"))
        )
        assert.notMatch(said, /(@|%40)example/)
      })
  )

  it.effect.each([true, false])(
    "for people shows all else as it is (with colors: %s)",
    (colors) =>
      Effect.gen(function*() {
        const kept = [
          "Kept",
          7,
          undefined,
          {
            a: undefined,
            at: DateTime.makeUnsafe(0),
            by: Redacted.make("secret"),
            deep: { deeper: { deepest: { no: 1 } } }
          },
          ["x", { y: new Map([["k", new Set([1])]]) }, Option.some(1)]
        ]
        const annotations = { kept: { a: ["x"] } }
        const log = (message: ReadonlyArray<unknown>) => Effect.annotateLogs(Effect.logInfo(...message), annotations)
        for (const message of [kept, kept.toReversed(), [DateTime.makeUnsafe(0)], []]) {
          const [said, plain] = [
            yield* saidBy(prettyLogger, log(message), { colors }),
            yield* saidBy(Logger.consolePretty(), log(message), { colors })
          ].map((lines) => lines.replaceAll(/#\d+/g, "#"))
          assert.strictEqual(said, plain)
        }
        const told = yield* saidBy(prettyLogger, log(["Sent", { to: "ana@example.com", n: [7] }]), { colors })
        assert.include(stripVTControlCharacters(told), "{ to: '<address>', n: [ 7 ] }")
      })
  )

  it("of JSON keeps all else, and stays JSON where an address follows an escape", () => {
    const line = JSON.stringify({ n: 1.5, no: null, texts: ["to\nana@example.com", "\u001bbia@example.com", "é\"\\"] })
    assert.strictEqual(
      redactedJson(line),
      JSON.stringify({ n: 1.5, no: null, texts: ["to\n<address>", "\u001b<address>", "é\"\\"] })
    )
    assert.strictEqual(redactedJson("{ \"a\": 1.0 }"), "{ \"a\": 1.0 }")
  })

  it.effect("of JSON has one text as its message, and the fields beside it", () =>
    Effect.gen(function*() {
      const line = Effect.fnUntraced(function*(log: Effect.Effect<void>) {
        const { annotations, fiberId: _, level, timestamp: __, ...rest } = JSON.parse(yield* saidBy(jsonLogger, log))
        assert.isString(level)
        return { ...rest, annotations }
      })
      const at = DateTime.makeUnsafe(0)
      const annotated = Effect.annotateLogs({ request_id: "r", failures: 0 })
      assert.deepStrictEqual(yield* line(Effect.logInfo("Done")), { message: "Done", annotations: {} })
      assert.deepStrictEqual(
        yield* line(annotated(Effect.logWarning("Not processed", { failures: 2, at, by: Redacted.make("x") }))),
        {
          message: "Not processed",
          annotations: { request_id: "r", failures: 2, at: "1970-01-01T00:00:00.000Z", by: "<redacted>" }
        }
      )
      assert.deepStrictEqual(yield* line(Effect.logInfo("Took", 7, ["a", 1])), {
        message: "Took 7 [\"a\",1]",
        annotations: {}
      })
      const failed = yield* line(Effect.logError("It failed", { no: 1 }, new Error("why"), Cause.die("cause")))
      assert.strictEqual(failed.message, "It failed")
      assert.strictEqual(failed.annotations.no, 1)
      assert.match(failed.annotations.error, /^Error: why/)
      assert.isString(failed.cause)
      assert.strictEqual((yield* line(Effect.logError(Cause.die("cause")))).message, "")
      const timed = yield* line(Effect.withLogSpan(Effect.logInfo("Done"), "work"))
      assert.deepStrictEqual(Object.keys(timed.spans), ["work"])
    }))

  it.effect("for people shows of an error its text and none of its fields", () =>
    Effect.gen(function*() {
      const fault = Object.assign(new Error("No row for ana@example.com"), { detail: "(email)=(bia@example.com)" })
      const logs = [
        Effect.logError("It failed for caio@example.com", Cause.die(fault)),
        Effect.logError("It failed for caio@example.com", fault)
      ]
      for (const log of logs) {
        const said = yield* saidBy(prettyLogger, log)
        assert.include(said, "It failed for <address>")
        assert.include(said, "No row for <address>")
        assert.notMatch(said, /@example|detail/)
      }
    }))
})
