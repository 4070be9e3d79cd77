import { Schema } from "effect"
import { readFileSync } from "node:fs"

const Manifest = Schema
  .fromJsonString(Schema.Struct({ scripts: Schema.Struct({ start: Schema.String, demo: Schema.String }) }))

const { scripts } = Schema.decodeSync(Manifest)(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

/** The variables that the start script sets, and the options that it passes to Node. */
const [variables = "", startOptions = ""] = scripts.start.split("exec node ")

/** The options that `npm start` passes to Node. Tests and measurements run with them. */
export const startArguments: ReadonlyArray<string> = startOptions.split(" ")

/** The variables that `npm start` sets. */
export const startEnvironment: Readonly<Record<string, string>> = Object
  .fromEntries(variables.trim().split(" ").map((variable) => variable.split("=", 2)))

/** The options that `npm run demo` passes to Node. */
export const demoArguments: ReadonlyArray<string> = scripts.demo.replace(/^exec node /, "").split(" ")
