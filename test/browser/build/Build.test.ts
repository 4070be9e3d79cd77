import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { builtFolder, pageNames, sourceFolder } from "../../../src/browser/build/place.ts"

const program = fileURLToPath(new URL("../../../src/cli/run.js", import.meta.url))

const make = (folder: string) => promisify(execFile)(process.execPath, [program, "pages", folder])

const withFolder = async (work: (folder: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "turma-console-"))
  try {
    await work(join(folder, "built"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("The pages' files", () => {
  it("are made whole, named by what is in them, and the same each time", () =>
    withFolder(async (folder) => {
      // Two builds at once, as when two processes get their first request.
      await Promise.all([make(folder), make(folder)])
      for (const page of pageNames) {
        const made = join(folder, page)
        const { entry, files, preloads, start, style, views } = JSON
          .parse(readFileSync(join(made, "manifest.json"), "utf8"))
        assert.deepStrictEqual(readdirSync(made).toSorted(), [...files, "manifest.json"].toSorted())
        const listed = readFileSync(join(sourceFolder, page, "app/Views.ts"), "utf8").match(/load: /g)
        assert.lengthOf(views, listed?.length ?? 0)
        const ofViews: Array<string> = views.flatMap((view: { files: Array<string> }) => view.files)
        for (const address of [entry, start, style, ...preloads, ...ofViews]) {
          assert.match(address, new RegExp(`^/${page}/assets/\\w+-[\\w-]+\\.(?:js|css)$`))
          assert.include(files, address.slice(`/${page}/assets/`.length))
        }
      }
      assert.deepStrictEqual(readdirSync(join(folder, "..")), ["built"])
      const other = `${folder}-again`
      await make(other)
      const all = (of: string) => readdirSync(of, { recursive: true, encoding: "utf8" }).toSorted()
      assert.deepStrictEqual(all(other), all(folder))
    }))

  it("are not made again where they are", () =>
    withFolder(async (folder) => {
      await make(folder)
      const manifest = join(folder, "console/manifest.json")
      writeFileSync(manifest, "kept")
      const before = statSync(manifest).mtimeMs
      await make(folder)
      assert.deepStrictEqual([readFileSync(manifest, "utf8"), statSync(manifest).mtimeMs], ["kept", before])
    }))

  it.each(["browser/style", "console/style", "platform/pages/style"])(
    "have a place for each state of the sources, which another source in %s changes",
    (folder) =>
      withFolder(async (root) => {
        const sources = join(root, "src", folder)
        mkdirSync(sources, { recursive: true })
        writeFileSync(join(sources, "first.css"), "a{}")
        const before = builtFolder(root)
        const other = join(sources, "other.css")
        writeFileSync(other, "a{}")
        assert.notStrictEqual(builtFolder(root), before)
        rmSync(other)
        assert.strictEqual(builtFolder(root), before)
      })
  )
})
