// What `npm start` runs, with `child` each of several processes, with `documentation` what makes that: the bundle, if there is
// one of the very sources that are here, and otherwise these (`src/cli/bundle/make.ts`).
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { requireNode } from "./requireNode.js"

requireNode()

// What is loaded from here on is kept compiled.
await import("./keepCompiled.js")
const { bundleFolder } = await import("./bundle/place.js")

const wanted = ["child", "documentation"].find((name) => name === process.argv[2]) ?? "main"
const bundled = join(bundleFolder(), `${wanted}.js`)
if (existsSync(bundled)) await import(pathToFileURL(bundled).href)
else if (wanted === "child") await import("./child.ts")
else if (wanted === "documentation") await import("./documentation.ts")
else await import("../main.ts")
