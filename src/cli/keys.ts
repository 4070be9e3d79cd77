import { Effect } from "effect"
import { Command } from "effect/cli"
import { JsonFlag, JsonLinesFlag } from "./flags/RemoteFlags.ts"
import { switchFlag } from "./flags/SwitchFlag.ts"

const commands = Effect.promise(() => import("./keys/commands.ts"))

const rotate = Command.make(
  "rotate",
  {
    no_wait: switchFlag("no-wait", "Do what is possible now, and end with exit code 1 if processes have to follow"),
    again: switchFlag(
      "again",
      "Begin another change with a new key although one is under way, as where that key is lost"
    )
  },
  (given) => Effect.flatMap(commands, ({ rotateKey }) => rotateKey(given))
).pipe(
  Command
    .withDescription("Change the key that seals, in two steps, or go on with that: it may be called again at any time"),
  Command.withExamples([
    { command: "turma keys rotate", description: "Change the key, and wait for every process and worker" },
    { command: "turma keys rotate --no-wait --json", description: "One step of it, for a program" }
  ])
)

const status = Command.make(
  "status",
  {},
  () => Effect.flatMap(commands, ({ showKeys }) => showKeys)
).pipe(
  Command
    .withDescription("Which keys the processes hold, what is sealed with the key before, and until when it is needed"),
  Command.withExamples([{ command: "turma keys status", description: "Look at the keys" }])
)

const forget = Command.make(
  "forget",
  { lost: switchFlag("lost", "Note keys that nobody has any more as lost: starts no longer ask for them") },
  ({ lost }) => Effect.flatMap(commands, ({ forgetKey, giveUpLostKeys }) => lost ? giveUpLostKeys : forgetKey)
).pipe(
  Command
    .withDescription("Leave the key before out, once nothing is sealed with it any more: otherwise it says what is"),
  Command.withExamples([
    { command: "turma keys forget", description: "End the change of a key" },
    { command: "turma keys forget --lost", description: "Start again if the file of the key is lost for good" }
  ])
)

/** `turma keys …`: the key that seals, and the one before. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Change the key that seals what is kept secret in the database"),
  Command.withExamples([{ command: "turma keys rotate", description: "Change the key" }]),
  Command.withSubcommands([rotate, status, forget]),
  Command.withGlobalFlags([JsonFlag, JsonLinesFlag])
)
