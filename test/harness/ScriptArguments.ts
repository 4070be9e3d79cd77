import { Schema } from "effect"
import { readFileSync } from "node:fs"

const Manifest = Schema.fromJsonString(
  Schema.Struct({ scripts: Schema.Struct({ start: Schema.String, demo: Schema.String }) })
)

const { scripts } = Schema.decodeSync(Manifest)(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

const argumentsOf = (script: string): ReadonlyArray<string> => script.replace(/^exec node /, "").split(" ")

/** What `npm start` passes to Node, so that Turma is tested and measured with the options that it is run with. */
export const startArguments = argumentsOf(scripts.start)

/** What `npm run demo` passes to Node. */
export const demoArguments = argumentsOf(scripts.demo)
