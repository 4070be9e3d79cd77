import { Effect } from "effect"
import { Command } from "effect/cli"
import { JsonFlag, JsonLinesFlag } from "./flags/RemoteFlags.ts"

/** `turma doctor` */
export const doctor = Command.make(
  "doctor",
  {},
  () => Effect.flatten(Effect.promise(async () => (await import("./doctor/doctor.ts")).doctor))
).pipe(
  Command
    .withDescription("Look at all that the service stands on, and say what to do: exit code 1 where something is wrong"),
  Command.withExamples([
    { command: "turma doctor", description: "Look at the installation of this environment" },
    { command: "turma doctor --json", description: "The same for a program" }
  ]),
  Command.withGlobalFlags([JsonFlag, JsonLinesFlag])
)
