import { Console } from "effect"
import type { Setting } from "../platform/config/Setting.ts"
import { settings } from "./settings/Settings.ts"

// A default is written as in the environment; what happens without a value is said in words.
const row = ({ fallback, isDefault, meaning, variable }: Setting<unknown>) =>
  `| \`${variable}\` | ${isDefault ? `\`${fallback}\`` : fallback} | ${meaning} |`

/** Every environment variable that Turma reads, as the Markdown table of the guide to configuration. */
export const settingsTable = (variables: ReadonlyArray<Setting<unknown>> = Object.values(settings)): string =>
  ["| Variable | Default | Meaning |", "|---|---|---|", ...variables.map(row)].join("\n")

/** Prints the table on standard output. */
export const printSettings = Console.log(settingsTable())
