import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"

const commands = Effect.promise(() => import("./backup/commands.ts"))

const keyFlag = (description: string) =>
  Flag.String("key").pipe(Flag.withMetavar("file"), Flag.withDescription(description), Flag.optional)

const unsealedFlag = Flag.Boolean("unsealed").pipe(
  Flag.withDescription("Take one that is not sealed though BACKUP_PASSPHRASE is set, such as from before it was"),
  Flag.withDefault(false),
  Flag.withoutNegation
)

/** `turma backup` */
export const backup = Command.make(
  "backup",
  {
    to: Argument.String("to").pipe(
      Argument.withDescription("A new file, or a folder that gets one; without it, what BACKUP_URL names"),
      Argument.optional
    ),
    key: keyFlag("Write the generated key into this file instead, so that the backup alone opens nothing"),
    verify: Flag.Boolean("verify").pipe(
      Flag.withDescription("Restore it into a database of its own, compare, and fail unless it is the same"),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    keep: Flag.Int("keep").pipe(
      Flag.filter((keep) => keep > 0, () => "expected a number above 0"),
      Flag.withMetavar("number"),
      Flag.withDescription("Then delete older ones of this installation, so that so many stay; verifies first"),
      Flag.optional
    )
  },
  ({ keep, key, to, verify }) =>
    Effect.flatMap(commands, ({ makeBackup }) =>
      makeBackup({
        to: Option.getOrUndefined(to),
        keyTo: Option.getOrUndefined(key),
        keep: Option.getOrUndefined(keep),
        verify
      }))
).pipe(
  Command.withDescription("Write the database, the files and a generated key into one archive, while others serve"),
  Command.withExamples([
    { command: "turma backup turma.backup", description: "Make a backup" },
    {
      command: "turma backup /backups --keep 7",
      description: "Make one among others, verify it and keep the last seven"
    }
  ])
)

/** `turma restore` */
export const restore = Command.make(
  "restore",
  {
    from: Argument.String("from").pipe(
      Argument.withDescription("A file that turma backup made, or the name of one where BACKUP_URL says")
    ),
    key: keyFlag("The file of the generated key, as turma backup --key has written it"),
    unsealed: unsealedFlag
  },
  ({ from, key, unsealed }) =>
    Effect.flatMap(
      commands,
      ({ restoreFrom }) => restoreFrom({ from, keyFrom: Option.getOrUndefined(key), takesUnsealed: unsealed })
    )
).pipe(
  Command.withDescription("Make an installation of a backup, in an empty DATA_DIR or database: all of it or nothing"),
  Command.withExamples([{ command: "turma restore turma.backup", description: "Restore a backup" }])
)

const list = Command.make(
  "list",
  {
    where: Argument.String("where").pipe(
      Argument.withDescription("A folder; without it, what BACKUP_URL names"),
      Argument.optional
    )
  },
  ({ where }) => Effect.flatMap(commands, ({ listBackups }) => listBackups(Option.getOrUndefined(where)))
).pipe(
  Command.withDescription("List the backups in a folder or bucket, the oldest first, with their bytes"),
  Command.withExamples([{ command: "turma backups list", description: "List what BACKUP_URL names" }])
)

const verify = Command.make(
  "verify",
  {
    from: Argument.String("from").pipe(Argument.withDescription("A file, or the name of one where BACKUP_URL says")),
    unsealed: unsealedFlag
  },
  ({ from, unsealed }) =>
    Effect.flatMap(commands, ({ verifyBackup }) => verifyBackup({ from, takesUnsealed: unsealed }))
).pipe(
  Command.withDescription("Restore a backup into a database of its own, which is gone afterwards, and compare"),
  Command.withExamples([{ command: "turma backups verify turma.backup", description: "See whether a backup is good" }])
)

/** `turma backups …` */
export const backups = Command.make("backups").pipe(
  Command.withDescription("Look at backups that were made"),
  Command.withExamples([{ command: "turma backups list", description: "List what BACKUP_URL names" }]),
  Command.withSubcommands([list, verify])
)
