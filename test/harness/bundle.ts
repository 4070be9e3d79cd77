import { existsSync, renameSync, rmSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { makeBundle } from "../../src/cli/bundle/Bundle.ts"
import { bundleFolder, project } from "../../src/cli/bundle/place.js"
import { run } from "./Programs.ts"

/** The bundle of the package, kept by the state of the sources, like the bundle of the service. */
const bundleCommand = async () => {
  const kept = join(project, "node_modules/.cache/turma-command")
  const folder = join(kept, basename(bundleFolder()))
  if (existsSync(folder)) return folder
  const unfinished = join(kept, `unfinished-${process.pid}`)
  await makeBundle({ folder: unfinished, root: project }, { main: "src/cli/main.ts" })
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    // Another run of the tests may have built it meanwhile.
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
  return folder
}

/** Builds the bundles. With them, processes of the tests start in two thirds of the time, and commands in half. */
export default async () => {
  await run(process.execPath, ["src/cli/bundle/make.ts"], { cwd: resolve(import.meta.dirname, "../..") })
  // The workers start later and inherit our environment.
  process.env["TEST_COMMAND"] = join(await bundleCommand(), "main.js")
}
