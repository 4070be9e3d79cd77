// What `npm start` runs, with `child` each of several processes, with `documentation` and `console` what makes these: the
// bundle, if there is one of the very sources that are here, and otherwise these (`src/cli/bundle/make.ts`). The console is
// always made by the sources, which it is made of.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { requireNode } from "./requireNode.js"

requireNode()

// What is loaded from here on is kept compiled.
await import("./keepCompiled.js")
const { bundleFolder } = await import("./bundle/place.js")

const wanted = ["child", "documentation", "console"].find((name) => name === process.argv[2]) ?? "main"
const bundled = join(bundleFolder(), `${wanted}.js`)
if (existsSync(bundled)) await import(pathToFileURL(bundled).href)
else if (wanted === "child") await import("./child.ts")
else if (wanted === "documentation") await import("./documentation.ts")
else if (wanted === "console") await import("./console.ts")
else await import("../main.ts")
