import { Schema } from "effect"

/** A backup was not made or not restored: one line that says why. What was there before is there still. */
export class BackupError extends Schema.TaggedError<BackupError>()("BackupError", { message: Schema.String }) {}

/** The failure with this line. */
export const refuse = (message: string) => new BackupError({ message })

/** What the system or a library threw, behind what was being done. */
export const failed = (doing: string) => (cause: unknown) =>
  refuse(`${doing}: ${(cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0]}`)
