import { Config, Effect, Option, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { UsageError } from "../errors/UsageError.ts"
import { ClubFlag, ProfileFlag } from "../flags/RemoteFlags.ts"
import { harmlessLine } from "../output/Harmless.ts"
import { hidden, lineOfStdin } from "../output/Hidden.ts"
import { textAt } from "../output/Json.ts"
import { note } from "../output/Write.ts"
import { serviceUrl, usualUrl } from "../profile/Address.ts"
import {
  keepProfile,
  parseKey,
  type Profile,
  profileNamed,
  type Profiles,
  readProfiles,
  shownKey
} from "../profile/Profiles.ts"
import { oneOf } from "../remote/Answers.ts"
import { presentedKey } from "../remote/Connection.ts"
import { untilDone } from "../remote/run.ts"
import { keyByBrowser } from "./byBrowser.ts"
import { chosenClub, keyByEmail, mixedUp, type SignIn } from "./byEmail.ts"
import { revokeMade } from "./ClubKeys.ts"

/** How to sign in. */
interface Login extends SignIn {
  readonly url: Option.Option<string>
  readonly key: boolean
  readonly keyStdin: boolean
}

/** A key from any source; `key_id` if it was created for this. */
interface Got {
  readonly key: Redacted.Redacted
  readonly key_id?: string
}

const refuseMixed = (given: Login) =>
  Option.isSome(given.email) && (given.key || given.keyStdin)
    ? "--email makes a key: leave out --key and --key-stdin"
    : mixedUp(given)

/** The ways to come by a key. Another way is another line here. */
const getKey = Effect.fnUntraced(function*(url: string, given: Login) {
  if (Option.isSome(given.email)) {
    const email = given.email.value
    const wanted = yield* ClubFlag
    const got: Got = yield* keyByEmail({ ...given, url, email }, (client) => chosenClub({ client, email, url, wanted }))
    return got
  }
  if (!given.key && !given.keyStdin) {
    const got: Got = yield* keyByBrowser(url)
    return got
  }
  const typed = given.keyStdin ? yield* lineOfStdin("the key") : yield* hidden("Key", "--key-stdin")
  const got: Got = { key: yield* parseKey(typed, "The input") }
  return got
})

/** Where to sign in: at the flag's address, else at that of `TURMA_URL`, else at `usual`. */
export const targetOf = Effect.fnUntraced(function*(flag: Option.Option<string>, usual: string = usualUrl) {
  if (Option.isSome(flag)) return yield* serviceUrl(flag.value, "--url")
  const variable = yield* Effect.orDie(Config.option(Config.NonEmptyString("TURMA_URL")))
  return yield* serviceUrl(Option.getOrElse(variable, () => usual), "TURMA_URL")
})

/** The given name, or else the club's address. If another profile has that name, the service's address is added. */
const nameOf = (given: Option.Option<string>, { club_id, url }: Profile, slug: string) => (kept: Profiles) => {
  if (Option.isSome(given)) return given.value
  const name = slug === "" ? "default" : slug
  const taken = profileNamed(kept, name)
  const isOther = taken !== undefined && (taken.url !== url || taken.club_id !== club_id)
  return isOther ? `${name}@${new URL(url).host}` : name
}

/** The profile for a key that the service accepts, and the address of its club. */
const profileOf = Effect.fnUntraced(function*(url: string, { key, key_id }: Got) {
  const own = yield* presentedKey(url, key)
  const club_id = textAt(own, "organization_id")
  const http = yield* HttpClient.HttpClient
  const club = yield* oneOf(
    url,
    http.execute(HttpClientRequest.bearerToken(HttpClientRequest.get(`${url}/v1/clubs/${club_id}`), key))
  )
  const club_name = textAt(club, "name")
  const profile: Profile = { url, club_id, club_name, key, ...(key_id === undefined ? {} : { key_id }) }
  return { profile, slug: textAt(club, "slug") }
})

const isSame = (one: Redacted.Redacted, other: Redacted.Redacted) => Redacted.value(one) === Redacted.value(other)

/**
 * Keeps the key, or revokes a new key that cannot be kept. Once it is kept it stays, also after Ctrl-C or if the output
 * is lost. A former key of this machine that it replaces is revoked.
 */
export const keepKey = (url: string, got: Got) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const keeping = Effect.gen(function*() {
        const { profile, slug } = yield* restore(profileOf(url, got))
        return { profile, ...yield* keepProfile(nameOf(yield* ProfileFlag, profile, slug), profile) }
      })
      const { name, profile: { club_name }, replaced } = yield* Effect.onError(
        keeping,
        () => got.key_id === undefined ? Effect.void : Effect.ignore(revokeMade({ url, key: got.key }))
      )
      const isOver = replaced?.key_id !== undefined && !isSame(replaced.key, got.key)
      const endReplaced = isOver ? revokeMade(replaced) : Effect.void
      const line = harmlessLine(`Signed in to ${club_name} at ${url} with ${shownKey(got.key)}: the profile ${name}`)
      yield* Effect.onError(restore(note(line)), () => Effect.ignore(endReplaced))
      yield* restore(endReplaced)
    })
  )

/** `turma login`: nothing is kept before the service has taken the key, and no key stays that is not kept. */
export const login = (given: Login) =>
  untilDone(Effect.gen(function*() {
    const mixed = refuseMixed(given)
    if (mixed !== undefined) return yield* new UsageError({ message: mixed })
    yield* readProfiles
    const url = yield* targetOf(given.url)
    yield* keepKey(url, yield* getKey(url, given))
  }))
