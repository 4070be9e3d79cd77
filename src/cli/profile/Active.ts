import { Config, Effect, Option, type Redacted } from "effect"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { UsageError } from "../errors/UsageError.ts"
import { ClubFlag, ProfileFlag } from "../flags/RemoteFlags.ts"
import { serviceUrl, usualUrl } from "./Address.ts"
import { parseKey, type Profile, profileNamed, readProfiles } from "./Profiles.ts"

/** The service to ask, and the key to ask with. */
interface Active {
  readonly url: string
  readonly key: Redacted.Redacted
  /** The club's public id, where it is known before the service is asked. */
  readonly club_id: Option.Option<string>
  /** Where it comes from, in words: a profile's name, or the environment. */
  readonly from: string
  readonly profile: Option.Option<Profile>
}

const signedOut = (message: string) => new CommandFailure({ message, exit_code: exitCodes.signedOut.code })

const environment = Effect.orDie(Config.all({
  url: Config.option(Config.NonEmptyString("TURMA_URL")),
  key: Config.option(Config.Redacted("TURMA_KEY")),
  club: Config.option(Config.NonEmptyString("TURMA_CLUB"))
}))

const ofProfile = Effect.fnUntraced(function*(name: string, profile: Profile, club: Option.Option<string>) {
  const active: Active = {
    url: yield* serviceUrl(profile.url, `The profile ${name}`),
    key: profile.key,
    club_id: Option.orElse(club, () => Option.some(profile.club_id)),
    from: name,
    profile: Option.some(profile)
  }
  return active
})

const namedProfile = Effect.fnUntraced(function*(name: string) {
  const kept = yield* readProfiles
  const profile = profileNamed(kept, name)
  if (profile !== undefined) return profile
  const known = Object.keys(kept.profiles)
  const others = known.length === 0 ? "there is none yet" : `there are ${known.join(", ")}`
  return yield* signedOut(`There is no profile ${name}: ${others}. Sign in with npx turma login --profile ${name}`)
})

/** The profile's key goes to the profile's service and to no other, whatever the environment says. */
const refuseElsewhere = Effect.fnUntraced(function*(name: string, profile: Profile, url: Option.Option<string>) {
  if (Option.isNone(url)) return
  if ((yield* serviceUrl(url.value, "TURMA_URL")) === profile.url) return
  return yield* new UsageError({
    message:
      `TURMA_URL is not where the key of the profile ${name} belongs: set TURMA_KEY too, or name another --profile`
  })
})

/**
 * A named profile as it is; else `TURMA_KEY`, `TURMA_URL` and `TURMA_CLUB`; else the latest profile. `--club` says another
 * club in every case.
 */
export const active = Effect.gen(function*() {
  const given = yield* environment
  const flag = yield* ClubFlag
  const named = yield* ProfileFlag
  if (Option.isSome(named)) return yield* ofProfile(named.value, yield* namedProfile(named.value), flag)
  const club = Option.orElse(flag, () => given.club)
  if (Option.isSome(given.key)) {
    const active: Active = {
      url: yield* serviceUrl(Option.getOrElse(given.url, () => usualUrl), "TURMA_URL"),
      key: yield* parseKey(given.key.value, "TURMA_KEY"),
      club_id: club,
      from: "TURMA_KEY",
      profile: Option.none()
    }
    return active
  }
  const kept = yield* readProfiles
  const { latest } = kept
  const profile = latest === null ? undefined : profileNamed(kept, latest)
  if (latest === null || profile === undefined) {
    return yield* signedOut("Not signed in: use npx turma login, or set TURMA_KEY and TURMA_URL")
  }
  yield* refuseElsewhere(latest, profile, given.url)
  return yield* ofProfile(latest, profile, club)
})
