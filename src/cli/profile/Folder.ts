import { Config, Effect, Option } from "effect"
import { homedir, platform } from "node:os"
import { isAbsolute, join } from "node:path"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"

const variable = (name: string) => Effect.orDie(Config.option(Config.String(name)))

const usual = (system: NodeJS.Platform, home: string) => {
  if (system === "darwin") return join(home, "Library", "Application Support")
  return system === "win32" ? join(home, "AppData", "Roaming") : join(home, ".config")
}

// It fails for a user that the system does not know, and is empty if HOME is.
const home = Effect.orElseSucceed(Effect.try(homedir), () => "")

/**
 * The folder of this person's settings: `turma` in `XDG_CONFIG_HOME`, or in the system's own place. A relative path is
 * ignored: it would write keys into the current folder.
 */
export const configFolder: Effect.Effect<string, CommandFailure> = Effect.gen(function*() {
  const system = platform()
  const name = system === "win32" ? "APPDATA" : "XDG_CONFIG_HOME"
  const named = Option.filter(yield* variable(name), isAbsolute)
  const folder = Option.isSome(named) ? named.value : usual(system, yield* home)
  if (isAbsolute(folder)) return join(folder, "turma")
  return yield* new CommandFailure({
    message: `There is no folder for settings: set HOME or ${name} to an absolute path`,
    exit_code: exitCodes.usage.code
  })
})
