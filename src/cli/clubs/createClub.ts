import { Effect, Option } from "effect"
import { type TurmaClient, withIdempotencyKey } from "../../Client.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { UsageError } from "../errors/UsageError.ts"
import { keyByEmail, mixedUp, type SignIn } from "../login/byEmail.ts"
import { keepKey, targetOf } from "../login/login.ts"
import { textAt } from "../output/Json.ts"
import { printFields } from "../output/Print.ts"
import { note } from "../output/Write.ts"
import { profileNamed, readProfiles } from "../profile/Profiles.ts"
import { oneOf } from "../remote/Answers.ts"
import { bare, clubsOf, connection } from "../remote/Connection.ts"
import { onceOnly } from "../remote/Once.ts"
import { untilDone } from "../remote/run.ts"
import { clubFields } from "./clubs.ts"

/** A club to found. */
interface NewClub {
  readonly name: string
  readonly time_zone: Option.Option<string>
  readonly locale: Option.Option<Locale>
}

/** The same, with the account that founds it. */
interface Creation extends NewClub, SignIn {
  readonly url: Option.Option<string>
}

/** Prints the new club first: it exists, even if a later step fails. Answers its id. */
const found = Effect.fnUntraced(function*(url: string, client: TurmaClient, { locale, name, time_zone }: NewClub) {
  const payload = {
    name,
    ...(Option.isSome(time_zone) ? { time_zone: time_zone.value } : {}),
    ...(Option.isSome(locale) ? { locale: locale.value } : {})
  }
  const key = yield* onceOnly
  const club = yield* oneOf(url, client.account.createClub({ payload, ...bare }).pipe(withIdempotencyKey(key)))
  yield* printFields(clubFields, club)
  return textAt(club, "organization_id")
})

const signedOut = () =>
  new CommandFailure({
    message: "Not signed in: give --email, or set TURMA_KEY to the token of a session",
    exit_code: exitCodes.signedOut.code
  })

const isSignedOut = (error: unknown) => error instanceof CommandFailure && error.exit_code === exitCodes.signedOut.code

/** By the session in use. A key founds no club. */
const bySession = Effect.fnUntraced(function*(club: NewClub) {
  const { client, isKey, me, url } = yield* Effect.mapError(
    connection,
    (error) => isSignedOut(error) ? signedOut() : error
  )
  if (isKey) {
    return yield* new UsageError({
      message: "A key belongs to one club and founds no other: to found one, sign in with --email"
    })
  }
  const id = yield* found(url, client, club)
  const count = clubsOf(yield* me).length
  if (count > 1) yield* note(`This account has ${count} clubs: TURMA_CLUB=${id} says which`)
})

/** Signs in for it, and keeps a key of the new club as the latest profile. */
const byEmail = Effect.fnUntraced(function*(email: string, given: Creation) {
  const kept = yield* readProfiles
  const latest = kept.latest === null ? undefined : profileNamed(kept, kept.latest)
  const url = yield* targetOf(given.url, latest?.url)
  yield* keepKey(url, yield* keyByEmail({ ...given, url, email }, (client) => found(url, client, given)))
})

/** `turma clubs create` */
export const createClub = (given: Creation) =>
  untilDone(Effect.gen(function*() {
    const mixed = mixedUp(given)
    if (mixed !== undefined) return yield* new UsageError({ message: mixed })
    if (Option.isSome(given.email)) return yield* byEmail(given.email.value, given)
    if (Option.isSome(given.url)) return yield* new UsageError({ message: "--url goes with --email" })
    return yield* bySession(given)
  }))
