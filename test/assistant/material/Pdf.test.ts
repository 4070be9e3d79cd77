import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Pdf, PdfUnreadable } from "../../../src/assistant/material/Pdf.ts"
import { pdfOf, unpackingTo } from "./PdfFile.ts"

const read = (bytes: Uint8Array<ArrayBuffer>) => Pdf.use((pdf) => pdf.pages(bytes))

layer(Pdf.layer)("A PDF", (it) => {
  it.effect("is read page by page, with the ends of its lines", () =>
    Effect.gen(function*() {
      const words = "one two three four five six seven eight nine ten ".repeat(3).trimEnd()
      const [first = "", ...others] = yield* read(pdfOf([words, "", "Ação (sim) \\ não."]))
      assert.strictEqual(first.replaceAll(/\s+/g, " "), words)
      assert.include(first, "\n")
      assert.deepStrictEqual(others, ["", "Ação (sim) \\ não."])
    }))

  it.effect("is read for 1000 pages", () =>
    Effect.gen(function*() {
      const pages = yield* read(pdfOf(Array.from({ length: 1002 }, (_, n) => `Page ${n + 1}`)))
      assert.deepStrictEqual([pages.length, pages.at(-1)], [1000, "Page 1000"])
    }))

  it.effect("is unreadable when it is none", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* Effect.flip(read(new Uint8Array(0))), new PdfUnreadable())
      assert.deepStrictEqual(yield* Effect.flip(read(new Uint8Array(1000).fill(37))), new PdfUnreadable())
    }))

  it.effect("has a minute", () =>
    Effect.gen(function*() {
      const reading = yield* Effect.forkChild(Effect.flip(read(pdfOf(["Late."]))), { startImmediately: true })
      yield* TestClock.adjust(Duration.minutes(1))
      assert.deepStrictEqual(yield* Fiber.join(reading), new PdfUnreadable())
    }))
})

layer(Pdf.layer, { excludeTestServices: true })("A small PDF that unpacks to gigabytes", (it) => {
  it.effect("is unreadable before it is unpacked", () =>
    Effect.gen(function*() {
      const mebibytes = 1024
      const file = unpackingTo(mebibytes)
      assert.isBelow(file.length, 2 * 1024 * 1024)
      assert.deepStrictEqual(yield* Effect.flip(read(file)), new PdfUnreadable())
    }), 90_000)
})
