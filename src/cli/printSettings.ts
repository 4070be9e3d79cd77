import { Console, Effect } from "effect"
import type { Setting } from "../platform/config/Setting.ts"
import { sayUnknown } from "../platform/config/UnknownVariables.ts"
import { settings } from "./settings/Settings.ts"
import { unknownHere } from "./settings/unknown.ts"

// A default is written as in the environment; a sentence describes the behaviour without a value.
const row = ({ fallback, isDefault, isSecret, meaning, variable }: Setting<unknown>) =>
  `| \`${variable}\`${isSecret ? "*" : ""} | ${isDefault ? `\`${fallback}\`` : fallback} | ${meaning} |`

/** Every environment variable that Turma reads, as the Markdown table of the guide to configuration. */
export const settingsTable = (variables: ReadonlyArray<Setting<unknown>> = Object.values(settings)): string =>
  ["| Variable | Default | Meaning |", "|---|---|---|", ...variables.map(row)].join("\n")

/** Prints the table on standard output, and beside it the unknown variables that look like ours. */
export const printSettings = Effect.andThen(
  Console.log(settingsTable()),
  Effect.flatMap(
    unknownHere,
    (found) => Effect.forEach(found, (one) => Console.error(`turma: ${sayUnknown(one)}`), { discard: true })
  )
)
