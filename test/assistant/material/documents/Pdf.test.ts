import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, FileSystem } from "effect"
import { TestClock } from "effect/testing"
import type * as PdfModule from "../../../../src/assistant/material/documents/Pdf.ts"
import { Pdf, processorLimit } from "../../../../src/assistant/material/documents/Pdf.ts"
import { makeBundle } from "../../../../src/cli/bundle/Bundle.ts"
import { project } from "../../../../src/cli/bundle/place.js"
import { eastAsian, grinding, pdfOf, scanned, unpackingTo } from "./PdfFile.ts"

const read = (bytes: Uint8Array<ArrayBuffer>) => Pdf.use((pdf) => pdf.pages(bytes))

const pagesOf = (bytes: Uint8Array<ArrayBuffer>) => Effect.map(read(bytes), ({ pages }) => pages)

const faultOf = (bytes: Uint8Array<ArrayBuffer>) => Effect.map(Effect.flip(read(bytes)), ({ reason }) => reason)

layer(Pdf.layer)("A PDF", (it) => {
  it.effect("is read page by page, with the ends of its lines", () =>
    Effect.gen(function*() {
      const words = "one two three four five six seven eight nine ten ".repeat(3).trimEnd()
      const [first = "", ...others] = yield* pagesOf(pdfOf([words, "", "Ação (sim) \\ não."]))
      assert.strictEqual(first.replaceAll(/\s+/g, " "), words)
      assert.include(first, "\n")
      assert.deepStrictEqual(others, ["", "Ação (sim) \\ não."])
    }))

  it.effect.each([
    ["UniGB-UCS2-H", "GB1", "学习吉他", "5b664e6054094ed6"],
    ["90ms-RKSJ-H", "Japan1", "ギターを学習する", "834d835e815b82f08a778f4b82b782e9"],
    ["ETen-B5-H", "CNS1", "學習吉他", "bec7b2dfa64ea54c"],
    ["KSCms-UHC-H", "Korea1", "기타를 배우다", "b1e2c5b8b8a620b9e8bfecb4d9"]
  ] as const)(
    "of East Asia is read by the code %s that it takes for granted",
    ([encoding, ordering, text, bytes]) =>
      Effect.gen(function*() {
        const file = eastAsian(encoding, ordering, Buffer.from(bytes, "hex"))
        assert.deepStrictEqual(yield* Effect.map(read(file), ({ pages, without_text }) => [pages, without_text]), [[
          text
        ], null])
      })
  )

  it.effect("of East Asia is read by the bundle too, which finds the tables of the package", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      // Beside the packages, as real bundles.
      const folder = yield* fs.makeTempDirectoryScoped({ directory: `${project}node_modules`, prefix: ".bundle-" })
      yield* Effect.promise(() =>
        makeBundle({ folder, root: project }, { pdf: "src/assistant/material/documents/Pdf.ts" })
      )
      const bundled: typeof PdfModule = yield* Effect.promise(() => import(`${folder}/pdf.js`))
      const file = eastAsian("UniGB-UCS2-H", "GB1", Buffer.from("5b664e6054094ed6", "hex"))
      const { pages } = yield* bundled.Pdf.use((pdf) => pdf.pages(file)).pipe(Effect.provide(bundled.Pdf.layer))
      assert.deepStrictEqual(pages, ["学习吉他"])
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("without text says why: its pages are pictures, or there is nothing on them", () =>
    Effect.gen(function*() {
      const reasonOf = (bytes: Uint8Array<ArrayBuffer>) => Effect.map(read(bytes), ({ without_text }) => without_text)
      assert.strictEqual(yield* reasonOf(scanned()), "pictures")
      assert.strictEqual(yield* reasonOf(pdfOf([""])), "nothing")
      assert.strictEqual(yield* reasonOf(pdfOf([" - . "])), "nothing")
      assert.isNull(yield* reasonOf(pdfOf(["", "Sol"])))
    }))

  it.effect("is read for 1000 pages", () =>
    Effect.gen(function*() {
      const pages = yield* pagesOf(pdfOf(Array.from({ length: 1002 }, (_, n) => `Page ${n + 1}`)))
      assert.deepStrictEqual([pages.length, pages.at(-1)], [1000, "Page 1000"])
    }))

  it.effect("is unreadable when it is none", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* faultOf(new Uint8Array(0)), "broken")
      assert.strictEqual(yield* faultOf(new Uint8Array(1000).fill(37)), "broken")
    }))

  it.effect("has a minute", () =>
    Effect.gen(function*() {
      const reading = yield* Effect.forkChild(faultOf(pdfOf(["Late."])), { startImmediately: true })
      yield* TestClock.adjust(Duration.minutes(1))
      assert.strictEqual(yield* Fiber.join(reading), "time")
    }))
})

layer(Pdf.layer, { excludeTestServices: true })("A small PDF", (it) => {
  it.effect("says what of the processor it has taken", () =>
    Effect.gen(function*() {
      const { spent_ms } = yield* read(pdfOf(["One page."]))
      assert.isAbove(spent_ms, 0)
      assert.isBelow(spent_ms, Duration.toMillis(processorLimit))
    }))

  it.effect("that takes minutes to read is given up after 5 seconds of the processor", () =>
    Effect.gen(function*() {
      const file = grinding()
      assert.isBelow(file.length, 1024 * 1024)
      const { reason, spent_ms } = yield* Effect.flip(read(file))
      assert.strictEqual(reason, "time")
      assert.isAbove(spent_ms, Duration.toMillis(processorLimit))
      assert.isBelow(spent_ms, 2 * Duration.toMillis(processorLimit))
    }))

  it.effect("that unpacks to gigabytes is unreadable before it is unpacked", () =>
    Effect.gen(function*() {
      const mebibytes = 1024
      const file = unpackingTo(mebibytes)
      assert.isBelow(file.length, 2 * 1024 * 1024)
      assert.strictEqual(yield* faultOf(file), "memory")
    }))
})
