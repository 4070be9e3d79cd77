// Judges the English of the project by test/tools/prose, whose packages are installed first if they are missing. If the
// registry cannot be reached, it reports "Not checked" and does not fail. With --count it also counts the findings of
// each kind of text. With paths it reports all findings in those files.
import { globSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { judge, lineOf, prose, withoutExceptions } from "../test/tools/Prose.ts"
import { exceptions } from "../test/tools/prose/exceptions.ts"
import type { Finding, Judged, Kind } from "../test/tools/prose/Kind.ts"
import { installTools, project, runOwn } from "../test/tools/Tools.ts"

const say = (line: string) => process.stdout.write(`${line}\n`)

const rules: ReadonlyArray<Finding["rule"]> = ["long", "passive", "phrase", "word"]
const kinds: ReadonlyArray<Kind> = ["pages", "api", "messages", "comments"]

const everything = () =>
  globSync(["**/*.md", "{src,test,packages,migrations,.ci}/**/*.{ts,tsx,js}"], {
    cwd: project,
    exclude: (path) => /(?:^|\/)(?:node_modules|packed|\.data)$/.test(path)
  })
    // Made of the OpenAPI document, which is judged itself.
    .filter((file) => !/^src\/sdk\/contract\/(?:Resources|Routes|Schemas)\.ts$/.test(file))
    .toSorted()

const both = (one: Judged, other: Judged): Judged => ({
  findings: [...one.findings, ...other.findings],
  sentences: Object.fromEntries(kinds.map((kind) => [kind, (one.sentences[kind] ?? 0) + (other.sentences[kind] ?? 0)]))
})

/** Judges all there is, and the OpenAPI document. */
const judgeAll = async (): Promise<Judged> => {
  const folder = await mkdtemp(join(tmpdir(), "turma-prose-"))
  try {
    const { code, stderr, stdout } = await runOwn("src/cli/main.ts", ["openapi"], project)
    if (code !== 0) throw new Error(`The document cannot be printed: ${stderr.trim()}`)
    const document = join(folder, "openapi.json")
    await writeFile(document, stdout)
    const files = everything()
    // The document goes with the sources that say its sentences. The others are as many.
    const judged = await Promise.all([
      judge([...files.filter((file) => file.startsWith("src/")), document]),
      judge(files.filter((file) => !file.startsWith("src/")))
    ])
    return both(...judged)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const counts = ({ sentences }: Judged, findings: ReadonlyArray<Finding>) =>
  kinds.map((kind) => {
    const found = findings.filter((finding) => finding.kind === kind)
    const each = rules.map((rule) => `${rule} ${found.filter((finding) => finding.rule === rule).length}`)
    return `${kind}: ${sentences[kind] ?? 0} sentences, ${found.length} findings (${each.join(", ")})`
  })

const check = async (isCounted: boolean, paths: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const types = await runOwn("node_modules/typescript/bin/tsc", ["--noEmit", "-p", prose], project)
  if (types.code !== 0) return [types.stdout.trim()]
  if (paths.length > 0) return withoutExceptions((await judge(paths)).findings, exceptions).findings.map(lineOf)
  const judged = await judgeAll()
  const { findings, unused } = withoutExceptions(judged.findings, exceptions)
  if (isCounted) { for (const line of counts(judged, findings)) say(line) }
  return [
    ...findings.map(lineOf),
    ...unused.map(({ file, rule, text }) => `${file}: ${rule}: an exception that is not needed: ${text}`)
  ]
}

const missing = await installTools(say, prose)
if (missing === undefined) {
  const options = process.argv.slice(2)
  const faults = await check(options.includes("--count"), options.filter((option) => !option.startsWith("--")))
  for (const fault of faults) say(fault)
  say(faults.length === 0 ? "Every sentence is plain." : `${faults.length} to mend.`)
  process.exitCode = faults.length === 0 ? 0 : 1
} else {
  say(`${missing.offline ? "Not checked" : "The check failed"}: ${missing.reason}.`)
  process.exitCode = missing.offline ? 0 : 1
}
