import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { withFiles } from "../harness/Files.ts"

const root = resolve(import.meta.dirname, "../..")
const own = [".ci/openapi.ts", "test/tools/Lint.ts", "test/tools/Tools.ts"]

/** A finding of Redocly that the check accepts. */
const ambiguous = { ruleId: "no-ambiguous-paths", message: "two", location: [{ pointer: "#/paths/~1things" }] }
const accepted = [{ rule: "redocly no-ambiguous-paths", at: "#/paths/~1things", why: "They are told apart." }]

const undescribed = { code: "operation-description", message: "no description", path: ["paths", "/things", "get"] }

interface Found {
  readonly spectral?: ReadonlyArray<typeof undescribed>
  readonly redocly?: ReadonlyArray<typeof ambiguous>
}

const tool = (stdout: string, code: number) =>
  `process.stdout.write(${JSON.stringify(stdout)})\nprocess.exitCode = ${code}\n`

/** Runs the check, or a second time with `again`. `npm` is this script, and the linters have these findings. */
const check = async (
  npm: string,
  { redocly = [ambiguous], spectral = [] }: Found = {},
  again = false
): Promise<{ code: number | null; output: string }> => {
  const texts = await Promise.all(own.map(async (path) => [path, await readFile(join(root, path), "utf8")] as const))
  const files = {
    ...Object.fromEntries(texts),
    ".ci/acceptedFindings.ts": `export const accepted = ${JSON.stringify(accepted)}`,
    "package.json": "{ \"type\": \"module\" }",
    "src/cli/main.ts": "process.stdout.write(\"{}\")",
    "test/tools/package-lock.json": "{}",
    "test/tools/node_modules/package.json": "{}",
    "test/tools/node_modules/.bin/spectral": tool(JSON.stringify(spectral), spectral.length === 0 ? 0 : 1),
    "test/tools/node_modules/.bin/redocly": tool(JSON.stringify({ problems: redocly }), 0),
    "bin/npm": `#!/bin/sh\n${npm}\n`
  }
  return withFiles(files, async (folder) => {
    const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}` }
    const once = () =>
      new Promise<{ code: number | null; output: string }>((done) => {
        const child = execFile(process.execPath, [join(folder, ".ci/openapi.ts")], { env }, (_, output) =>
          done({ code: child.exitCode, output }))
      })
    const first = await once()
    return again ? once() : first
  })
}

const fails = (text: string) => `echo '${text}' >&2; exit 1`

describe("the check of the OpenAPI document", () => {
  it("installs what is missing and says so, and does it once", async () => {
    assert.deepStrictEqual(await check("exit 0"), {
      code: 0,
      output:
        "Installing the tools of test/tools, some 230 MB, which is done once.\nSpectral and Redocly find nothing.\n"
    })
    assert.deepStrictEqual(await check("exit 0", {}, true), { code: 0, output: "Spectral and Redocly find nothing.\n" })
  })

  it("fails on a finding of either, a warning too, and names rule and place", async () => {
    const { code, output } = await check("exit 0", {
      spectral: [undescribed],
      redocly: [ambiguous, { ruleId: "a-rule", message: "a warning", location: [{ pointer: "#/paths" }] }]
    })
    assert.strictEqual(code, 1)
    assert.include(output, "spectral operation-description at paths /things get: no description\n")
    assert.include(output, "redocly a-rule at #/paths: a warning\n")
    assert.include(output, "\n2 findings.\n")
  })

  it("fails where what it accepts is found no more", async () => {
    const { code, output } = await check("exit 0", { redocly: [] })
    assert.strictEqual(code, 1)
    assert.include(output, "is accepted in .ci/acceptedFindings.ts and found no more")
  })

  it.each(["npm error code ENOTFOUND", "npm error network request failed", "npm error code ECONNREFUSED"])(
    "says that nothing was checked where npm reaches no registry: %s",
    async (text) => {
      const { code, output } = await check(fails(text))
      assert.strictEqual(code, 0)
      assert.match(output, /^Not checked: /m)
    }
  )

  it.each(["npm error code EINTEGRITY", "npm error code E404", ""])(
    "fails where npm cannot install for another reason: %s",
    async (text) => {
      const { code, output } = await check(fails(text))
      assert.strictEqual(code, 1)
      assert.match(output, /^The check failed: npm ci failed/m)
    }
  )
})
