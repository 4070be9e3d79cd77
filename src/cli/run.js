// The program of `npm start`. With `child` it is one of several processes, with `documentation` or `pages` it makes
// these. It runs the bundle if that matches the current sources (`src/cli/bundle/make.ts`), and otherwise the sources.
// The pages need the sources in any case.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { requireNode } from "./requireNode.js"

requireNode()

// Node keeps the compiled code of all later modules.
await import("./keepCompiled.js")
const { bundleFolder } = await import("./bundle/place.js")

const wanted = ["child", "documentation", "pages"].find((name) => name === process.argv[2]) ?? "main"
const bundled = join(bundleFolder(), `${wanted}.js`)
if (existsSync(bundled)) await import(pathToFileURL(bundled).href)
else if (wanted === "child") await import("./child.ts")
else if (wanted === "documentation") await import("./documentation.ts")
else if (wanted === "pages") await import("./pages.ts")
else await import("../main.ts")
