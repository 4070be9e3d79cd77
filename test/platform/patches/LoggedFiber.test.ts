import { assert, describe, it } from "@effect/vitest"
import { Console, Context, Effect, Logger, References } from "effect"
import { withContext } from "../../../src/platform/patches/LoggedFiber.ts"
import { removable } from "../../harness/Patches.ts"

const pretty = Logger.consolePretty({ colors: false })

/** The output of the human-readable logger for a line with an annotation, after `change` has replaced the line. */
const printed = (change: (line: Logger.Options<unknown>) => Logger.Options<unknown>) =>
  Effect.gen(function*() {
    const said: Array<unknown> = []
    const note = (...parts: ReadonlyArray<unknown>) => void said.push(...parts)
    yield* Effect.logInfo("Sent").pipe(
      Effect.annotateLogs({ to: "ana@example.com" }),
      Effect.provide(Logger.layer([Logger.make<unknown, void>((line) => pretty.log(change(line)))])),
      Effect.provideService(
        Console.Console,
        new Proxy(console, { get: (_, name) => name === "log" ? note : () => undefined })
      )
    )
    return said.join("\n")
  })

const annotations = { to: "<address>" }

describe("The logger for people", () => {
  it.effect("prints the annotations of the fiber, and takes no others, without the patch", () =>
    Effect.gen(function*() {
      const others = { annotations, spans: [] }
      assert.include(yield* printed((line) => ({ ...line, ...others })), "ana@example.com", removable("LoggedFiber"))
    }))

  it.effect("prints the annotations of the context that the fiber is given", () =>
    Effect.gen(function*() {
      const said = yield* printed((line) => ({
        ...line,
        fiber: withContext(line.fiber, Context.add(line.fiber.context, References.CurrentLogAnnotations, annotations))
      }))
      assert.include(said, "<address>")
      assert.notInclude(said, "ana@example.com")
    }))
})
