// Asks the registry for known vulnerabilities of what runs in production. Fails on any finding. A registry that offers
// no audit, or cannot be reached, says nothing about the packages: that is reported as "Not checked", not as a failure.
import { spawnSync } from "node:child_process"

/**
 * The output of `npm audit --json`: a report, or an error. The error has the registry's status if it answered at all.
 */
interface Answer {
  readonly vulnerabilities?: Record<string, { readonly severity: string; readonly range: string }>
  readonly statusCode?: number
  readonly message?: string
}

const withoutAudit = new Set([404, 405, 410, 501])

const verdict = ({ vulnerabilities, statusCode, message }: Answer): readonly [exit: number, line: string] => {
  if (vulnerabilities !== undefined) {
    const found = Object.entries(vulnerabilities).map(([name, { severity, range }]) => `${name} ${range}: ${severity}`)
    return found.length === 0 ? [0, "No known vulnerability."] : [1, ["Known vulnerabilities:", ...found].join("\n  ")]
  }
  if (statusCode !== undefined && withoutAudit.has(statusCode)) {
    return [0, `Not checked: the registry offers no audit (HTTP ${statusCode}).`]
  }
  if (statusCode === undefined && message?.startsWith("request to ") === true) {
    return [0, "Not checked: the registry cannot be reached."]
  }
  return [1, `The audit failed: ${message ?? "npm gave no answer"}`]
}

const parsed = (output: string): Answer => {
  try {
    return JSON.parse(output)
  } catch {
    return { message: `npm printed no JSON: ${output.slice(0, 200)}` }
  }
}

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
  maxBuffer: 64 * 1024 * 1024
})
const [exit, line] = verdict(parsed(stdout))
process.stdout.write(`${line}\n`)
process.exitCode = exit
