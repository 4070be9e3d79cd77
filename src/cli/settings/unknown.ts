import { Effect } from "effect"
import { fileVariable } from "../../platform/config/SecretFile.ts"
import { sayUnknown, unknownVariables } from "../../platform/config/UnknownVariables.ts"
import { settings } from "./Settings.ts"

/** Variables of the command line, beside the settings of the service. */
const ofCommands = ["TURMA_KEY", "TURMA_URL", "TURMA_CLUB", "TURMA_TOKEN", "TURMA_WEBHOOK_SECRET"]

const known = [
  ...Object.values(settings).flatMap(({ isSecret, variable }) =>
    isSecret ? [variable, fileVariable(variable)] : [variable]
  ),
  ...ofCommands
]

/** Variables of this process that look like ours and are unknown. */
export const unknownHere = Effect.sync(() => unknownVariables(Object.keys(process.env), known))

/** Names them in the log. */
export const warnOfUnknownVariables = Effect.flatMap(
  unknownHere,
  (found) => Effect.forEach(found, (one) => Effect.logWarning(sayUnknown(one)), { discard: true })
)
