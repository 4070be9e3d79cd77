import { Flag } from "effect/cli"

/** The wanted part of a list. */
export const wantedFlags = {
  limit: Flag.Int("limit").pipe(
    Flag.filter((limit) => limit > 0, () => "expected a number above 0"),
    Flag.withMetavar("number"),
    Flag.withDescription("How many to list at most"),
    Flag.withDefault(25)
  ),
  all: Flag.Boolean("all").pipe(Flag.withDescription("List all of them"), Flag.withDefault(false), Flag.withoutNegation)
}

/** Skips the question before an action that cannot be undone. */
export const yesFlag = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Do not ask"),
  Flag.withDefault(false),
  Flag.withoutNegation
)
