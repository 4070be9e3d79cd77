import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { resolve } from "node:path"
import { withFiles } from "../harness/Files.ts"

const script = resolve(import.meta.dirname, "../../.ci/audit.ts")

/** Runs the audit with an `npm` that prints this answer. */
const audit = (answer: unknown) => {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer)
  return withFiles(
    { answer: text, npm: `#!/bin/sh\ncat "\${0%/*}/answer"\nexit 1\n` },
    (folder) =>
      new Promise<{ code: number | null; output: string }>((done) => {
        const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` }
        const child = execFile(
          process.execPath,
          [script],
          { env },
          (_, output) => done({ code: child.exitCode, output })
        )
      })
  )
}

describe("the audit", () => {
  it("passes when the registry knows of nothing", async () => {
    const { code, output } = await audit({ auditReportVersion: 2, vulnerabilities: {}, metadata: {} })
    assert.deepStrictEqual({ code, output }, { code: 0, output: "No known vulnerability.\n" })
  })

  it("fails on a finding and names it", async () => {
    const { code, output } = await audit({
      auditReportVersion: 2,
      vulnerabilities: { leaky: { name: "leaky", severity: "low", range: "<1.2.3" } }
    })
    assert.strictEqual(code, 1)
    assert.include(output, "leaky <1.2.3: low")
  })

  it("says that nothing was checked where the registry offers no audit", async () => {
    const { code, output } = await audit({ message: "405 Method Not Allowed", statusCode: 405 })
    assert.strictEqual(code, 0)
    assert.match(output, /^Not checked: /)
  })

  it("says that nothing was checked where the registry cannot be reached", async () => {
    const { code, output } = await audit({ message: "request to https://registry.test/ failed, reason: ECONNREFUSED" })
    assert.strictEqual(code, 0)
    assert.match(output, /^Not checked: /)
  })

  it.each([{ message: "503 Service Unavailable", statusCode: 503 }, { message: "no lock file" }, "", "not json"])(
    "fails on an answer it cannot use: %j",
    async (answer) => {
      const { code, output } = await audit(answer)
      assert.strictEqual(code, 1)
      assert.match(output, /^The audit failed: /)
    }
  )
})
