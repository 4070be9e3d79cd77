import { assert, describe, it } from "@effect/vitest"
import { Cause, Console, Effect, Logger } from "effect"
import { formatWithOptions } from "node:util"
import { prettyLogger, withoutAddresses } from "../../src/telemetry/Addresses.ts"

describe("A log line", () => {
  it.each([
    ["Key (email)=(bia@example.com) already exists", "Key (email)=(<address>) already exists"],
    ["5.1.1 <bia.lima+x@mail.example> unknown", "5.1.1 <<address>> unknown"],
    ["/students?search=bia%40example.com&limit=1", "/students?search=<address>&limit=1"],
    ["josé@exemplo.br e ana@localhost", "<address> e <address>"],
    ["at file:///app/node_modules/@effect/sql-pg/x.ts:1:2", "at file:///app/node_modules/@effect/sql-pg/x.ts:1:2"],
    ["@turma and a@ and @", "@turma and a@ and @"],
    ["Mail written .data/mail/20261122T074139.123Z-*.eml", "Mail written .data/mail/20261122T074139.123Z-*.eml"]
  ])("%s is told as %s", (said, told) => {
    assert.strictEqual(withoutAddresses(said), told)
  })

  it("is looked through in a time that grows with its length alone", () => {
    const began = performance.now()
    withoutAddresses(`${"a".repeat(200_000)} x@y`)
    assert.isBelow(performance.now() - began, 5000)
  })

  it.effect("for people shows of an error its text and none of its fields", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const said = (...parts: ReadonlyArray<unknown>) => void lines.push(formatWithOptions({ depth: 9 }, ...parts))
      const fault = Object.assign(new Error("No row for ana@example.com"), { detail: "(email)=(bia@example.com)" })
      yield* Effect.logError("It failed for caio@example.com", Cause.die(fault)).pipe(
        Effect.provide(Logger.layer([prettyLogger])),
        Effect.provideService(Console.Console, new Proxy(console, { get: () => said }))
      )
      assert.include(lines.join("\n"), "It failed for <address>")
      assert.include(lines.join("\n"), "No row for <address>")
      assert.notMatch(lines.join("\n"), /@example/)
    }))
})
