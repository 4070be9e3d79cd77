import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { project } from "../../src/cli/bundle/place.js"
import { isTiny } from "./sized.ts"

/** Makes the bundle of the sources as they are, which is what `npm start` runs from a checkout that was installed. */
export const makeBundle = Effect.sync(() =>
  execFileSync("npm", ["run", "--silent", "bundle"], { cwd: project, stdio: ["ignore", "ignore", "inherit"] })
)

/** What is measured is the bundle. `npm run check:bench` makes it once for all. */
export const BundleLayer = isTiny ? Layer.empty : Layer.effectDiscard(makeBundle)
