import { Config } from "effect"
import { setting } from "../config/Setting.ts"

/** What a process does. */
export const roleSettings = {
  ROLE: setting({
    variable: "ROLE",
    fallback: "all",
    meaning: "`api` serves HTTP, `worker` does the background work, `all` both",
    expected: "one of api, worker, all",
    example: "worker"
  }, (variable) => Config.Literals(["api", "worker", "all"], variable))
}
