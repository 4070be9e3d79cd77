import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { api } from "./api.ts"
import { backup, backups, restore } from "./backup.ts"
import { billing } from "./billing.ts"
import { clock } from "./clock.ts"
import { clubs } from "./clubs.ts"
import { doctor } from "./doctor.ts"
import { events } from "./events.ts"
import { importStudents } from "./import.ts"
import { keys } from "./keys.ts"
import { login, logout, profiles, whoami } from "./login.ts"
import { mcp } from "./mcp.ts"
import { students } from "./students.ts"
import { webhooks } from "./webhooks.ts"

// A command loads what it needs when it is the one: the service is most of a second of imports.
const command = <E>(
  name: string,
  description: string,
  example: string,
  load: () => Promise<Effect.Effect<void, E>>
) =>
  Command.make(name, {}, () => Effect.flatten(Effect.promise(load))).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `turma ${name}`, description: example }])
  )

const help = Command.make(
  "help",
  {
    topic: Argument.Literals("topic", ["exit-codes"]).pipe(Argument.withDescription("What to read about"))
  },
  () =>
    Effect.flatMap(
      Effect.promise(() => import("./errors/ExitCodes.ts")),
      ({ exitCodeLines }) => Effect.forEach(exitCodeLines(), (line) => Console.log(line), { discard: true })
    )
).pipe(
  Command.withDescription("Read about exit codes; every command says with --help how it is called"),
  Command.withExamples([{ command: "turma help exit-codes", description: "What each exit code says" }])
)

const serve = async () => (await import("./start.ts")).start

/**
 * The whole command line. The work of a command is loaded when it runs. Without a command it serves, so one command in
 * an empty folder is enough.
 */
export const turma = Command.make("turma", {}, () => Effect.flatten(Effect.promise(serve))).pipe(
  Command.withDescription("The API of a learning-community platform"),
  Command.withExamples([
    { command: "turma login --url https://turma.example", description: "Sign in to a club" },
    { command: "turma students list", description: "Look at its students" },
    { command: "turma doctor", description: "See whether an installation is well" }
  ]),
  Command.withSubcommands([
    command("serve", "Run the service, as turma does by itself", "Serve until Ctrl-C", serve),
    command(
      "migrate",
      "Bring the database's schema up to date and say what was applied",
      "Before the processes of a new version start",
      async () => (await import("./migrateDatabase.ts")).migrateDatabase
    ),
    command(
      "demo",
      "Show webhooks at work, on a service of its own that leaves nothing behind",
      "Watch it for a minute",
      async () => (await import("./demo.ts")).demo
    ),
    command(
      "openapi",
      "Print the OpenAPI document",
      "Print the document",
      async () => (await import("./printOpenApi.ts")).printOpenApi
    ),
    command(
      "settings",
      "Print the table of environment variables",
      "Print the table",
      async () => (await import("./printSettings.ts")).printSettings
    ),
    backup,
    backups,
    restore,
    billing,
    clock,
    doctor,
    keys,
    login,
    logout,
    whoami,
    profiles,
    clubs,
    students,
    importStudents,
    events,
    webhooks,
    api,
    mcp,
    help
  ])
)
