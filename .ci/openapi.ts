// Judges the OpenAPI document by the recommended rules of Spectral and Redocly, warnings too. Their package is installed
// first where it is missing; a registry that cannot be reached is reported as "Not checked", not as a failure.
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Finding, lineOf, lint } from "../test/tools/Lint.ts"
import { installTools, project, runOwn } from "../test/tools/Tools.ts"
import { accepted } from "./acceptedFindings.ts"

const isAccepted = (finding: Finding) => accepted.some(({ at, rule }) => finding.rule === rule && finding.at === at)

const say = (line: string) => process.stdout.write(`${line}\n`)

const check = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { code, stderr, stdout } = await runOwn("src/cli/main.ts", ["openapi"], project)
  if (code !== 0) return [`The document cannot be printed: ${stderr.trim()}`]
  const file = join(folder, "openapi.json")
  await writeFile(file, stdout)
  const findings = await lint(file)
  const gone = accepted.filter(({ at, rule }) =>
    !findings.some((finding) => finding.rule === rule && finding.at === at)
  )
  return [
    ...findings.filter((finding) => !isAccepted(finding)).map(lineOf),
    ...gone.map(({ at, rule }) => `${rule} at ${at} is accepted in .ci/acceptedFindings.ts and found no more`)
  ]
}

const missing = await installTools(say)
if (missing === undefined) {
  const folder = await mkdtemp(join(tmpdir(), "turma-openapi-"))
  try {
    const faults = await check(folder)
    for (const fault of faults) say(fault)
    say(faults.length === 0
      ? "Spectral and Redocly find nothing."
      : `${faults.length} ${faults.length === 1 ? "finding" : "findings"}.`)
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true })
  }
} else {
  say(`${missing.offline ? "Not checked" : "The check failed"}: ${missing.reason}.`)
  process.exitCode = missing.offline ? 0 : 1
}
