import { join } from "node:path"
import { type Ended, runTool } from "./Tools.ts"

/** The output of Spectral with `--format json`. */
interface SpectralFinding {
  readonly code: string | number
  readonly message: string
  readonly path: ReadonlyArray<string | number>
}

/** The output of Redocly with `--format json`. */
interface RedoclyReport {
  readonly problems: ReadonlyArray<{
    readonly ruleId: string
    readonly message: string
    readonly location: ReadonlyArray<{ readonly pointer?: string }>
  }>
}

/** A rule that the document breaks, and the place in the document. */
export interface Finding {
  readonly rule: string
  readonly at: string
  readonly message: string
}

const failed = (tool: string, { code, stderr }: Ended) => new Error(`${tool} ended with ${code}: ${stderr.trim()}`)

const parsed = <A>(tool: string, ended: Ended, take: (text: string) => A): A => {
  try {
    return take(ended.stdout)
  } catch {
    throw failed(tool, ended)
  }
}

const spectral = async (file: string): Promise<ReadonlyArray<Finding>> => {
  const ruleset = join(import.meta.dirname, "spectral.json")
  const args = ["lint", file, "--ruleset", ruleset, "--format", "json", "--fail-severity", "hint", "--quiet"]
  const ended = await runTool("spectral", args, import.meta.dirname)
  const findings = parsed(
    "Spectral",
    ended,
    (text): ReadonlyArray<SpectralFinding> => text.trim() === "" ? [] : JSON.parse(text)
  )
  // Spectral is also quiet if it cannot read the document.
  if (ended.code !== (findings.length === 0 ? 0 : 1)) throw failed("Spectral", ended)
  return findings.map(({ code, message, path }) => ({ rule: `spectral ${code}`, at: path.join(" "), message }))
}

const redocly = async (file: string): Promise<ReadonlyArray<Finding>> => {
  const config = join(import.meta.dirname, "redocly.yaml")
  const args = ["lint", file, "--config", config, "--format", "json", "--max-problems", "10000"]
  const ended = await runTool("redocly", args, import.meta.dirname)
  const { problems } = parsed("Redocly", ended, (text): RedoclyReport => JSON.parse(text))
  return problems.map(({ location, message, ruleId }) => ({
    rule: `redocly ${ruleId}`,
    at: location[0]?.pointer ?? "",
    message
  }))
}

/** All findings of Spectral's and Redocly's recommended rules in an OpenAPI document, including warnings and hints. */
export const lint = async (file: string): Promise<ReadonlyArray<Finding>> =>
  (await Promise.all([spectral(file), redocly(file)])).flat()

/** The finding in one line. */
export const lineOf = ({ at, message, rule }: Finding): string => `${rule} at ${at}: ${message}`
