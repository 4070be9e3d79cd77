import { Effect } from "effect"
import { Argument, Command } from "effect/cli"

const file = Argument.String("file")

/** `turma backup FILE` */
export const backup = Command.make(
  "backup",
  { file: Argument.withDescription(file, "The file to make, which must not exist") },
  ({ file }) =>
    Effect.flatMap(Effect.promise(() => import("./backup/commands.ts")), ({ makeBackup }) => makeBackup(file))
).pipe(
  Command.withDescription("Write the database, the files and a generated key into one file, while others serve"),
  Command.withExamples([{ command: "turma backup turma.backup", description: "Make a backup" }])
)

/** `turma restore FILE` */
export const restore = Command.make(
  "restore",
  { file: Argument.withDescription(file, "A file that turma backup made") },
  ({ file }) =>
    Effect.flatMap(Effect.promise(() => import("./backup/commands.ts")), ({ restoreFrom }) => restoreFrom(file))
).pipe(
  Command.withDescription("Make an installation of a backup, in an empty DATA_DIR or database: all of it or nothing"),
  Command.withExamples([{ command: "turma restore turma.backup", description: "Restore a backup" }])
)
