import { Effect } from "effect"
import { Command } from "effect/cli"

const confirm = Command.make(
  "confirm",
  {},
  () => Effect.flatten(Effect.promise(async () => (await import("./clock/confirmClock.ts")).confirmClock))
).pipe(
  Command
    .withDescription("Say that the machine's clock is right although it has jumped: what is past its age is deleted"),
  Command.withExamples([{ command: "turma clock confirm", description: "After the log has asked for it" }])
)

/** `turma clock …`: what an operator says of the time. */
export const clock = Command.make("clock").pipe(
  Command.withDescription("See to the clock by which data expires"),
  Command.withExamples([{ command: "turma clock confirm", description: "Say that the clock is right" }]),
  Command.withSubcommands([confirm])
)
