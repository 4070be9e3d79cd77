import { Option, Schema } from "effect"

/**
 * The version of these messages, counted up with every change. A process that SIGHUP has started may have another
 * version than its supervisor. It gets the supervisor's number as the last argument of its program.
 */
export const protocol = "2"

/** A message of a process to its supervisor. */
const FromProcess = Schema.Union([
  Schema.Struct({ type: Schema.Literal("ready") }),
  /** Questions by their numbers, each with its subject: who is asked about that one reads it. */
  Schema.Struct({
    type: Schema.Literal("ask"),
    questions: Schema.Array(Schema.Tuple([Schema.Int, Schema.String, Schema.Unknown]))
  }),
  /** Its metrics: in answer to the round of this number, or the last ones. */
  Schema.Struct({ type: Schema.Literal("metrics"), round: Schema.NullOr(Schema.Int), text: Schema.String })
])

/** A message of a supervisor to a process. */
const FromSupervisor = Schema.Union([
  /** Answers by the numbers of their questions: who has asked reads them. */
  Schema.Struct({
    type: Schema.Literal("answer"),
    answers: Schema.Array(Schema.Tuple([Schema.Int, Schema.Unknown]))
  }),
  Schema.Struct({ type: Schema.Literal("measure"), round: Schema.Int }),
  /** Another process has taken its place. */
  Schema.Struct({ type: Schema.Literal("leave") }),
  /** All end. */
  Schema.Struct({ type: Schema.Literal("end") })
])

export type FromProcess = typeof FromProcess.Type
export type FromSupervisor = typeof FromSupervisor.Type

const reads = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (message: unknown): A | undefined => Option.getOrUndefined(decode(message))
}

/** A message of a process; undefined for any other. */
export const readFromProcess = reads(FromProcess)

/** A message of the supervisor; undefined for any other. */
export const readFromSupervisor = reads(FromSupervisor)
