import { Option, Schema } from "effect"

/**
 * Which messages these are, counted up with every change of them: a process that SIGHUP has started may be of another version
 * than its supervisor. It is told by the last argument of its program.
 */
export const protocol = "2"

/** What a process tells its supervisor. */
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

/** What a supervisor tells a process. */
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
