import { Effect } from "effect"
import { install, mayInstall } from "../harness/Packages.ts"
import { run } from "../harness/Programs.ts"
import { project } from "./Deployed.ts"

/**
 * Makes sure that a program is installed. As root on Debian it installs the package. Elsewhere the test fails with a
 * line that names the package.
 */
export const ensure = async (name: string, program: string, ...probe: ReadonlyArray<string>): Promise<void> => {
  const answers = () => run(program, probe, { cwd: project }).then(() => true, () => false)
  if (await answers()) return
  if (mayInstall()) await Effect.runPromise(Effect.ignore(install(name)))
  if (!(await answers())) throw new Error(`This test needs ${program} (Debian: apt-get install ${name})`)
}
