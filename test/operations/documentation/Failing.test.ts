import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Fiber, FileSystem, Layer } from "effect"
import { TestClock } from "effect/testing"
import { pathToFileURL } from "node:url"
import { Documentation } from "../../../src/operations/documentation/Documentation.ts"
import { OutsideWaits } from "../../../src/platform/http/request/OutsideWaits.ts"
import { PublicUrls } from "../../../src/platform/http/ServerSettings.ts"
import { eventually } from "../../harness/Eventually.ts"

/** A program that records its start, and then does this instead of making the documentation. */
const programThat = Effect.fnUntraced(function*(does: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-docs-" })
  yield* fs.writeFileString(
    `${folder}/program.mjs`,
    `import { appendFileSync } from "node:fs"\nappendFileSync(new URL("begun", import.meta.url), "x")\n${does}`
  )
  const times = fs.readFileString(`${folder}/begun`).pipe(Effect.map(({ length }) => length))
  return { program: pathToFileURL(`${folder}/program.mjs`), times }
})

const UrlsLayer = PublicUrls.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))

const documentation = (program: URL, patience: Duration.Input = "1 minute") =>
  Effect.map(
    Layer.build(Documentation.layer(program, Duration.fromInputUnsafe(patience)).pipe(Layer.provide(UrlsLayer))),
    (built) => Effect.flatMap(Documentation, ({ file }) => Effect.flip(file("/docs"))).pipe(Effect.provide(built))
  )

layer(NodeServices.layer)("A process that makes no documentation", (it) => {
  it.effect("is an answer to try again, and is not begun anew for each who asks", () =>
    Effect.gen(function*() {
      const { program, times } = yield* programThat("process.exit(3)")
      const ask = yield* documentation(program)
      const failures = yield* Effect.all(Array.from({ length: 20 }, () => ask), { concurrency: "unbounded" })
      for (const failure of failures) assert.strictEqual(failure._tag, "TemporarilyUnavailable")
      yield* ask
      assert.strictEqual(yield* times, 1)
      yield* TestClock.adjust("5 seconds")
      yield* ask
      assert.strictEqual(yield* times, 2)
    }).pipe(Effect.scoped))

  it.effect("is waited for by its own limit, and not by that of the database", () =>
    Effect.gen(function*() {
      const { program } = yield* programThat("setInterval(() => {}, 1000)")
      const ask = yield* documentation(program, "2 seconds")
      const waits = { count: 0 }
      const asked = yield* Effect.forkChild(Effect.provideService(ask, OutsideWaits, waits))
      yield* eventually(Effect.sync(() => waits.count), (count) => count === 1)
      yield* Fiber.join(asked)
      assert.strictEqual(waits.count, 0)
    }).pipe(Effect.scoped))

  it.effect("is ended when it is stuck", () =>
    Effect.gen(function*() {
      const { program, times } = yield* programThat("setInterval(() => {}, 1000)")
      // Long enough for the process to start.
      const ask = yield* documentation(program, "5 seconds")
      assert.strictEqual((yield* ask)._tag, "TemporarilyUnavailable")
      assert.strictEqual(yield* times, 1)
    }).pipe(Effect.scoped))
})
