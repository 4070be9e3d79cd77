import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { remoteFlags } from "./flags/RemoteFlags.ts"

/** `turma import FILE` */
export const importStudents = Command.make(
  "import",
  {
    file: Argument.String("file")
      .pipe(Argument
        .withDescription("A CSV with columns name and email, and document, delivery, cohort and expires_at if need be; 5000 rows at most")),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Write nothing, and say what would be"),
      Flag.withDefault(false),
      Flag.withoutNegation
    )
  },
  (given) =>
    Effect.flatMap(Effect.promise(() => import("./import/importFile.ts")), ({ importFile }) => importFile(given))
)
  .pipe(
    Command
      .withDescription("Import students from a CSV file: exit code 1 where a row is wrong, with the lines of the file"),
    Command.withExamples([
      { command: "turma import students.csv --dry-run", description: "Look at what would happen" },
      { command: "turma import students.csv", description: "Import them" }
    ]),
    Command.withGlobalFlags(remoteFlags)
  )
