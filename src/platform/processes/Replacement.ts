import { Effect, Option, Schema } from "effect"
import type { Supervised } from "./Supervisor.ts"

/** The subject of the question below. */
export const replacementSubject = "replacement"

const decode = Schema.decodeUnknownOption(Schema.Struct({ from: Schema.String, to: Schema.String }))

/** Asks that every process is replaced as by SIGHUP, since what they were started with, `from`, has become `to`. */
export const askForReplacement = (supervisor: Supervised, from: string, to: string) =>
  Effect.asVoid(supervisor.ask(replacementSubject, { from, to }, "2 seconds"))

/** Of several processes that ask for the same, one is enough: says whether this is the first. */
export const answerForReplacement = () => {
  let latest: string | undefined
  return (asked: unknown): boolean => {
    const change = Option.getOrUndefined(decode(asked))
    if (change === undefined) return false
    const name = `${change.from} to ${change.to}`
    const isNew = name !== latest
    latest = name
    return isNew
  }
}
