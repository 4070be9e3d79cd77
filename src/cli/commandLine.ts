// The whole package takes a quarter of a second to load.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { version } from "../platform/version.ts"
import { asUsageError, presenter } from "./errors/UsageError.ts"
import { runMain } from "./runMain.ts"
import { turma } from "./tree.ts"

/** The command that the arguments of this process name. */
export const commandLine = turma.pipe(
  Command.run({ version }),
  Effect.mapError(asUsageError),
  Effect.provide([
    NodeServices.layer,
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    presenter
  ])
)

/** Runs it as this process. */
export const runCommandLine = () => runMain(commandLine)
