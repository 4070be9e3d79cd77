// Judges the OpenAPI document by the recommended rules of Spectral and Redocly, warnings too. Their package is installed
// first where it is missing; a registry that cannot be reached is reported as "Not checked", not as a failure.
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Finding, lineOf, lint } from "../test/tools/Lint.ts"
import { installTools, project, runOwn } from "../test/tools/Tools.ts"

/** What is left as it is, each with its reason. One that is found no more has to be taken out. */
const accepted: ReadonlyArray<Pick<Finding, "rule" | "at"> & { readonly why: string }> = [
  {
    rule: "redocly no-ambiguous-paths",
    at: "#/paths/~1v1~1clubs~1{clubId}~1students~1imports~1{importId}",
    why: "The contract has this path beside /students/{studentId}/points. An id is a UUID, so no request means both."
  },
  {
    rule: "spectral oas3-valid-schema-example",
    at:
      "paths /v1/clubs/{clubId}/webhook-event-types get responses 200 content application/json example data 0 example",
    why: "A type of event has fields called type and example, as a schema has, and the rule takes the answer for one."
  }
]

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
    ...gone.map(({ at, rule }) => `${rule} at ${at} is accepted in .ci/openapi.ts and found no more`)
  ]
}

const missing = await installTools(say)
if (missing === undefined) {
  const folder = await mkdtemp(join(tmpdir(), "turma-openapi-"))
  try {
    const faults = await check(folder)
    for (const fault of faults) say(fault)
    say(faults.length === 0 ? "Spectral and Redocly find nothing." : `${faults.length} findings.`)
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true })
  }
} else {
  say(`${missing.offline ? "Not checked" : "The check failed"}: ${missing.reason}.`)
  process.exitCode = missing.offline ? 0 : 1
}
