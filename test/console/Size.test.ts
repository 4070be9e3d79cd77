import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll } from "vitest"
import { buildPages } from "../../src/browser/build/Build.ts"

const folder = mkdtempSync(join(tmpdir(), "turma-console-"))

/** The files that a browser loads before the first view, and the view of a club that it shows first. */
let firstView: ReadonlyArray<Buffer> = []

beforeAll(async () => {
  await buildPages(folder)
  const made = join(folder, "console")
  const { entry, files, preloads, start, style } = JSON.parse(readFileSync(join(made, "manifest.json"), "utf8"))
  const home = files.filter((name: string) => name.startsWith("Home-"))
  firstView = [entry, start, style, ...preloads, ...home].map((name) => readFileSync(join(made, basename(name))))
})

afterAll(() => rmSync(folder, { recursive: true }))

describe("The console's first view", () => {
  it.each([["brotli", brotliCompressSync], ["gzip", gzipSync]] as const)(
    "takes less than 150 KB compressed with %s",
    (_, compress) => {
      assert.isAtLeast(firstView.length, 4)
      assert.isBelow(firstView.reduce((sum, file) => sum + compress(file).length, 0), 150_000)
    }
  )
})
