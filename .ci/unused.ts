// Fails on exports that nothing imports, on code that only tests use, and on files that nothing reaches. The tools are
// installed first if they are missing; a registry that cannot be reached is reported as "Not checked", not as a failure.
import { installTools } from "../test/tools/Tools.ts"
import { findUnused } from "../test/tools/Unused.ts"

const say = (line: string) => process.stdout.write(`${line}\n`)

const missing = await installTools(say)
if (missing === undefined) {
  const found = await findUnused()
  for (const line of found) say(line)
  if (found.length === 0) say("Everything exported is imported, and not by tests alone.")
  process.exitCode = found.length === 0 ? 0 : 1
} else {
  say(`${missing.offline ? "Not checked" : "The check failed"}: ${missing.reason}.`)
  process.exitCode = missing.offline ? 0 : 1
}
