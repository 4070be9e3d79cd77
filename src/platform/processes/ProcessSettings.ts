import { Config, Schema } from "effect"
import { availableParallelism } from "node:os"
import { setting } from "../config/Setting.ts"

const mostProcesses = 128

const Count = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: mostProcesses }))

/** Number of processes that one command runs. */
export const processCountSettings = {
  PROCESSES: setting(
    {
      variable: "PROCESSES",
      fallback: "1",
      meaning: "processes that one command runs, on one port; `auto`: one for each core that is available",
      expected: `a whole number from 1 to ${mostProcesses}, or auto`,
      example: "auto"
    },
    (variable) =>
      Config.schema(Schema.Union([Schema.Literal("auto"), Count]), variable).pipe(Config.map((count) =>
        count === "auto" ? Math.min(mostProcesses, availableParallelism()) : count
      ))
  )
}
