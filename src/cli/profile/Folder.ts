import { Config, Effect, Option } from "effect"
import { homedir, platform } from "node:os"
import { join } from "node:path"

const variable = (name: string) => Effect.orDie(Config.option(Config.String(name)))

const usual = (system: NodeJS.Platform) => {
  if (system === "darwin") return join(homedir(), "Library", "Application Support")
  return system === "win32" ? join(homedir(), "AppData", "Roaming") : join(homedir(), ".config")
}

/** The folder of this person's settings: `XDG_CONFIG_HOME`, or what the system has for it, and `turma` in it. */
export const configFolder: Effect.Effect<string> = Effect.gen(function*() {
  const system = platform()
  const named = yield* variable(system === "win32" ? "APPDATA" : "XDG_CONFIG_HOME")
  return join(Option.getOrElse(named, () => usual(system)), "turma")
})
