import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll } from "vitest"
import { buildPages } from "../../../src/browser/build/Build.ts"
import type { PageName } from "../../../src/browser/build/place.ts"

const folder = mkdtempSync(join(tmpdir(), "turma-pages-"))

beforeAll(() => buildPages(folder))

afterAll(() => rmSync(folder, { recursive: true }))

/** The files that a browser loads before the first view, and the view that it shows first. */
const firstView = (page: PageName) => {
  const made = join(folder, page)
  const { entry, files, preloads, start, style } = JSON.parse(readFileSync(join(made, "manifest.json"), "utf8"))
  const home = files.filter((name: string) => name.startsWith("Home-"))
  return [entry, start, style, ...preloads, ...home].map((name) => readFileSync(join(made, basename(name))))
}

describe("The first view", () => {
  it.each([
    ["console", "brotli", 150_000, brotliCompressSync],
    ["console", "gzip", 150_000, gzipSync],
    ["classroom", "brotli", 60_000, brotliCompressSync]
  ] as const)("of the %s, compressed with %s, takes less than %d bytes", (page, _, most, compress) => {
    const files = firstView(page)
    assert.isAtLeast(files.length, 4)
    assert.isBelow(files.reduce((sum, file) => sum + compress(file).length, 0), most)
  })
})
