import { Cause, Effect, Schema } from "effect"
import { SettingError } from "../../platform/config/Setting.ts"

/** The result of a check: the state, in words, and a remedy if it needs one. */
export const Finding = Schema.Struct({
  subject: Schema.String,
  state: Schema.Literals(["ok", "warning", "problem"]),
  says: Schema.String,
  advice: Schema.NullOr(Schema.String)
})
export type Finding = typeof Finding.Type

/** It is as it should be. */
export const ok = (subject: string, says: string): Finding => ({ subject, state: "ok", says, advice: null })

/** It works, and somebody should know. */
export const warning = (subject: string, says: string, advice: string): Finding => ({
  subject,
  state: "warning",
  says,
  advice
})

/** It does not work. */
export const problem = (subject: string, says: string, advice: string): Finding => ({
  subject,
  state: "problem",
  says,
  advice
})

/** How long one check may take. */
const patience = "30 seconds"

const isSetting = Schema.is(SettingError)

const brokenCheck = (subject: string, cause: Cause.Cause<unknown>): ReadonlyArray<Finding> => {
  const error = Cause.squash(cause)
  // A malformed variable has a finding of its own.
  if (isSetting(error)) return []
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1)
  return [problem(subject, line, "Mend this first: the check came to no end")]
}

/** A check that always comes to an end: whatever it fails of is its finding. */
export const check = <E, R>(subject: string, findings: Effect.Effect<ReadonlyArray<Finding>, E, R>) =>
  findings.pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () =>
        Effect.succeed([problem(subject, `no answer within ${patience}`, "See whether it can be reached from here")])
    }),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.succeed(brokenCheck(subject, cause))
    )
  )
