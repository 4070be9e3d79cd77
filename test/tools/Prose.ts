import { join } from "node:path"
import type { Exception } from "./prose/exceptions.ts"
import type { Finding, Judged } from "./prose/Kind.ts"
import { project, runOwn } from "./Tools.ts"

/** The folder of the tools that read prose. */
export const prose = join(import.meta.dirname, "prose")

/** The sentences in these files that break a rule, by their paths in this folder. */
export const judge = async (files: ReadonlyArray<string>, folder = project): Promise<Judged> => {
  const ended = await runOwn("test/tools/prose/judge.ts", files, folder)
  if (ended.code !== 0) throw new Error(`The prose cannot be judged: ${ended.stderr.trim()}`)
  return JSON.parse(ended.stdout)
}

/** One finding in a line. */
export const lineOf = ({ file, line, message, rule, text }: Finding): string =>
  `${file}:${line}: ${rule}: ${message}: ${text}`

type Exempt = (finding: Finding) => boolean

const exempts = ({ file, rule, text }: Exception): Exempt => (finding) =>
  finding.file === file && finding.rule === rule && finding.text.includes(text)

/** Findings without an exception, and exceptions without a finding. */
export const withoutExceptions = (findings: ReadonlyArray<Finding>, exceptions: ReadonlyArray<Exception>) => ({
  findings: findings.filter((finding) => !exceptions.some((exception) => exempts(exception)(finding))),
  unused: exceptions.filter((exception) => !findings.some(exempts(exception)))
})
