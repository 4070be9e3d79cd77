import { Flag } from "effect/cli"

/** A flag that is there or not: false without it, and there is no `--no-` of it. */
export const switchFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)
