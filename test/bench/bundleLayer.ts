import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { project } from "../../src/cli/bundle/place.js"

/** What is measured is what `npm start` runs from a checkout that was installed: the bundle of the sources as they are. */
export const BundleLayer = Layer.effectDiscard(
  Effect.sync(() =>
    execFileSync("npm", ["run", "--silent", "bundle"], { cwd: project, stdio: ["ignore", "ignore", "inherit"] })
  )
)
