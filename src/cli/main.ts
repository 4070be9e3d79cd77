#!/usr/bin/env node
// The whole package takes a quarter of a second to load.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { version } from "../platform/version.ts"
import { asUsageError, presenter } from "./errors/UsageError.ts"
import { runMain } from "./runMain.ts"
import { turma } from "./tree.ts"

// Node keeps what it compiles of what the command loads from here on: the next one then starts sooner.
await import("./keepCompiled.js")

turma.pipe(
  Command.run({ version }),
  Effect.mapError(asUsageError),
  Effect.provide([
    NodeServices.layer,
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    presenter
  ]),
  runMain
)
