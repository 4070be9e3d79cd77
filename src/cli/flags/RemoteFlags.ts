import { Flag, GlobalFlag } from "effect/cli"

/** `--profile`: the profile to use as it is, whatever the environment says. */
export const ProfileFlag = GlobalFlag.Setting("profile")({
  flag: Flag.String("profile").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("The profile to use, as turma login has named it; the latest one without"),
    Flag.optional
  )
})

/** `--club`: another club than the profile's. */
export const ClubFlag = GlobalFlag.Setting("club")({
  flag: Flag.String("club").pipe(
    Flag.withMetavar("id"),
    Flag.withDescription("The club's id, for a token that is good for several"),
    Flag.optional
  )
})

/** `--json`: one document. */
export const JsonFlag = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print what the API answers as one JSON document"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
})

/** `--jsonl`: a document on each line. */
export const JsonLinesFlag = GlobalFlag.Setting("jsonl")({
  flag: Flag.Boolean("jsonl").pipe(
    Flag.withDescription("Print a JSON document on a line for each item"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
})

/** The flags of every command that asks the service. */
export const remoteFlags = [ProfileFlag, ClubFlag, JsonFlag, JsonLinesFlag] as const
