import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { project } from "../../src/cli/bundle/place.js"
import { isTiny } from "./sized.ts"

/** Bundles the current sources, because `npm start` of an installed checkout runs the bundle. */
export const makeBundle = Effect.sync(() =>
  execFileSync("npm", ["run", "--silent", "bundle"], { cwd: project, stdio: ["ignore", "ignore", "inherit"] })
)

/** Benchmarks measure the bundle. `npm run check:bench` makes it once for all of them. */
export const BundleLayer = isTiny ? Layer.empty : Layer.effectDiscard(makeBundle)
