#!/usr/bin/env node
// The whole package takes a quarter of a second to load.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { version } from "../platform/version.ts"
import { backup, restore } from "./backup.ts"
import { billing } from "./billing.ts"
import { clock } from "./clock.ts"
import { mcp } from "./mcp.ts"
import { runMain } from "./runMain.ts"
import { webhooks } from "./webhooks.ts"
import { asUsageError, presenter } from "./webhooks/UsageError.ts"

// A command loads what it needs when it is the one: the service is most of a second of imports.
const command = <E>(name: string, description: string, load: () => Promise<Effect.Effect<void, E>>) =>
  Command.make(name, {}, () => Effect.flatten(Effect.promise(load))).pipe(Command.withDescription(description))

const turma = Command.make("turma").pipe(
  Command.withDescription("The API of a learning-community platform"),
  Command.withSubcommands([
    command("serve", "Run the service from its sources", async () => (await import("./start.ts")).start),
    command(
      "migrate",
      "Bring the database's schema up to date and say what was applied",
      async () => (await import("./migrateDatabase.ts")).migrateDatabase
    ),
    command(
      "demo",
      "Show webhooks at work, on a service of its own that leaves nothing behind",
      async () => (await import("./demo.ts")).demo
    ),
    command("openapi", "Print the OpenAPI document", async () => (await import("./printOpenApi.ts")).printOpenApi),
    command(
      "settings",
      "Print the table of environment variables",
      async () => (await import("./printSettings.ts")).printSettings
    ),
    backup,
    restore,
    billing,
    clock,
    mcp,
    webhooks
  ])
)

// Node keeps what it compiles of what the command loads from here on: the next one then starts sooner.
await import("./keepCompiled.js")

turma.pipe(
  Command.run({ version }),
  Effect.mapError(asUsageError),
  Effect.provide([NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }), presenter]),
  runMain
)
