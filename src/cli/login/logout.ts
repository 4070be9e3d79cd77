import { Effect, Option } from "effect"
import { exitCodes } from "../errors/ExitCodes.ts"
import { UsageError } from "../errors/UsageError.ts"
import { ProfileFlag } from "../flags/RemoteFlags.ts"
import { harmlessLine } from "../output/Harmless.ts"
import { note } from "../output/Write.ts"
import { serviceUrl } from "../profile/Address.ts"
import { forgetProfile, type Profile, readProfiles, shownKey } from "../profile/Profiles.ts"
import { untilDone } from "../remote/run.ts"
import { revokeOwnKey } from "./ClubKeys.ts"

/** A key that was made here ends with its profile. One that was given may be somebody else's too, so it stays. */
const revoke = Effect.fnUntraced(function*(name: string, { key, key_id, url }: Profile) {
  if (key_id === undefined) return yield* note(`The key ${shownKey(key)} was not made here, so it is not revoked`)
  yield* revokeOwnKey(yield* serviceUrl(url, `The profile ${name}`), key).pipe(
    Effect.andThen(note(`Revoked ${shownKey(key)}`)),
    Effect.catchTag("CommandFailure", ({ exit_code, message }) =>
      exit_code === exitCodes.signedOut.code
        ? note(`The key ${shownKey(key)} had ended already`)
        : note(`turma: the key ${shownKey(key)} may still work, revoke it: ${message}`))
  )
})

/** `turma logout`: the profile is forgotten also where the service does not answer, and that is told. */
export const logout = untilDone(Effect.gen(function*() {
  const { latest, profiles } = yield* readProfiles
  const name = Option.getOrUndefined(yield* ProfileFlag) ?? latest
  const profile = name === null ? undefined : profiles[name]
  if (name === null || profile === undefined) {
    return yield* new UsageError({ message: name === null ? "There is no profile" : `There is no profile ${name}` })
  }
  yield* revoke(name, profile)
  yield* forgetProfile(name)
  yield* note(harmlessLine(`Forgot the profile ${name} of ${profile.club_name}`))
}))
