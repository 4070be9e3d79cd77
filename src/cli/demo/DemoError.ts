import { Schema } from "effect"

/** The demo cannot go on: one line that says why. */
export class DemoError extends Schema.TaggedError<DemoError>()("DemoError", { message: Schema.String }) {}
