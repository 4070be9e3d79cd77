import { Schema } from "effect"

/** A backup or a restore failed: one line that says why. The data from before is unchanged. */
export class BackupError extends Schema.TaggedError<BackupError>()("BackupError", { message: Schema.String }) {}

/** The failure with this line. */
export const refuse = (message: string) => new BackupError({ message })

/** The error of the system or a library, with the action that it interrupted. */
export const failed = (doing: string) => (cause: unknown) =>
  refuse(`${doing}: ${(cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0]}`)
