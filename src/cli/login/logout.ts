import { Effect, Option } from "effect"
import { UsageError } from "../errors/UsageError.ts"
import { ProfileFlag } from "../flags/RemoteFlags.ts"
import { harmlessLine } from "../output/Harmless.ts"
import { note } from "../output/Write.ts"
import { forgetProfile, profileNamed, readProfiles, shownKey } from "../profile/Profiles.ts"
import { untilDone } from "../remote/run.ts"
import { revokeMade } from "./ClubKeys.ts"

/** `turma logout`: the profile is deleted even if the service does not answer; a note then says so. */
export const logout = untilDone(Effect.gen(function*() {
  const kept = yield* readProfiles
  const name = Option.getOrUndefined(yield* ProfileFlag) ?? kept.latest
  const profile = name === null ? undefined : profileNamed(kept, name)
  if (name === null || profile === undefined) {
    return yield* new UsageError({ message: name === null ? "There is no profile" : `There is no profile ${name}` })
  }
  if (profile.key_id === undefined) {
    yield* note(`The key ${shownKey(profile.key)} was not made here, so it is not revoked`)
  } else yield* revokeMade(profile)
  const isForgotten = yield* forgetProfile(name, profile)
  yield* note(harmlessLine(isForgotten
    ? `Forgot the profile ${name} of ${profile.club_name}`
    : `The profile ${name} stays: it has another key by now`))
}))
