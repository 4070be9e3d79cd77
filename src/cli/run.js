// What `npm start` runs, and with `child` each of several processes: the bundle, if there is one of the very sources that are
// here, and otherwise these (`src/cli/bundle/make.ts`).
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { requireNode } from "./requireNode.js"

requireNode()

// What is loaded from here on is kept compiled.
await import("./keepCompiled.js")
const { bundleFolder } = await import("./bundle/place.js")

const isChild = process.argv[2] === "child"
const bundled = join(bundleFolder(), isChild ? "child.js" : "main.js")
if (existsSync(bundled)) await import(pathToFileURL(bundled).href)
else await (isChild ? import("./child.ts") : import("../main.ts"))
