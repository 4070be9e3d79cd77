import { Runtime, Schema } from "effect"

/** A command failed: one line, and the exit code of its kind. */
export class CommandFailure extends Schema.TaggedError<CommandFailure>()("CommandFailure", {
  message: Schema.String,
  exit_code: Schema.Int
}) {
  override get [Runtime.errorExitCode]() {
    return this.exit_code
  }
}

/** Ends without a message: it was printed already, or nobody reads it. */
export class QuietEnd extends Schema.TaggedError<QuietEnd>()("QuietEnd", { exit_code: Schema.Int }) {
  override readonly [Runtime.errorReported] = false
  override get message() {
    return ""
  }
  override get [Runtime.errorExitCode]() {
    return this.exit_code
  }
}
