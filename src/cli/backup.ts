import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { switchFlag } from "./flags/SwitchFlag.ts"

const commands = Effect.promise(() => import("./backup/commands.ts"))
const removals = Effect.promise(() => import("./backup/removals.ts"))

const keyFlag = (description: string) =>
  Flag.String("key").pipe(Flag.withMetavar("file"), Flag.withDescription(description), Flag.optional)

const unsealedFlag = switchFlag(
  "unsealed",
  "Take one that is not sealed though BACKUP_PASSPHRASE is set, such as from before it was"
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
    verify: switchFlag("verify", "Restore it into a database of its own, compare, and fail unless it is the same"),
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
    from: Argument.String("from")
      .pipe(Argument.withDescription("A file that turma backup made, or the name of one where BACKUP_URL says")),
    key: keyFlag("The file of the generated key, as turma backup --key has written it"),
    unsealed: unsealedFlag,
    without_erasures: switchFlag(
      "without-erasures",
      "Restore without the lists of removals: people who were removed since come back"
    )
  },
  ({ from, key, unsealed, without_erasures }) =>
    Effect.flatMap(commands, ({ restoreFrom }) =>
      restoreFrom({
        from,
        keyFrom: Option.getOrUndefined(key),
        takesUnsealed: unsealed,
        withoutErasures: without_erasures
      }))
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
  Command.withDescription("Restore a backup into a database of its own, compare, and delete that database"),
  Command.withExamples([{ command: "turma backups verify turma.backup", description: "See whether a backup is good" }])
)

const whereArgument = Argument.String("where").pipe(
  Argument.withDescription("A folder of backups; without it, what BACKUP_URL names"),
  Argument.optional
)

const keepRemovals = Command.make(
  "keep-removals",
  { where: whereArgument },
  ({ where }) => Effect.flatMap(removals, ({ keepRemovals }) => keepRemovals(Option.getOrUndefined(where)))
).pipe(
  Command.withDescription("List people who were removed since, by ids alone, beside backups from your own hand"),
  Command.withExamples([
    { command: "turma backups keep-removals /backups", description: "Have a restore remove those people again" }
  ])
)

const removeAgain = Command.make(
  "remove-again",
  { where: whereArgument, unsealed: unsealedFlag },
  ({ unsealed, where }) =>
    Effect.flatMap(
      removals,
      ({ removeAgain }) => removeAgain({ where: Option.getOrUndefined(where), takesUnsealed: unsealed })
    )
).pipe(
  Command.withDescription("Have the next start remove the people again who are in the lists beside the backups"),
  Command.withExamples([
    { command: "turma backups remove-again", description: "After the database went back to an earlier moment" }
  ])
)

/** `turma backups …` */
export const backups = Command.make("backups").pipe(
  Command.withDescription("Look at existing backups"),
  Command.withExamples([{ command: "turma backups list", description: "List what BACKUP_URL names" }]),
  Command.withSubcommands([list, verify, keepRemovals, removeAgain])
)
