import { Runtime, Schema } from "effect"

/** A command did not do what it was asked to: one line, and the exit code that says of which kind that is. */
export class CommandFailure extends Schema.TaggedError<CommandFailure>()("CommandFailure", {
  message: Schema.String,
  exit_code: Schema.Int
}) {
  override get [Runtime.errorExitCode]() {
    return this.exit_code
  }
}

/** It ends without a word: what there was to say is said, or nobody reads it. */
export class QuietEnd extends Schema.TaggedError<QuietEnd>()("QuietEnd", { exit_code: Schema.Int }) {
  override readonly [Runtime.errorReported] = false
  override get message() {
    return ""
  }
  override get [Runtime.errorExitCode]() {
    return this.exit_code
  }
}
