import { Effect, Option, Redacted, Schema } from "effect"
import { Prompt } from "effect/cli"
import { makeClient } from "../../Client.ts"
import { KnownEmail } from "../../platform/http/Text.ts"
import { UsageError } from "../errors/UsageError.ts"
import { harmlessLine } from "../output/Harmless.ts"
import { asked, hidden, lineOfStdin, needTerminal } from "../output/Hidden.ts"
import { textAt, type Thing } from "../output/Json.ts"
import { note } from "../output/Write.ts"
import { answerOf, oneOf } from "../remote/Answers.ts"
import { bare, clubsOf, failed } from "../remote/Connection.ts"
import { type KeyRole, makeKey, revokeMade } from "./ClubKeys.ts"

/** How an administrator signs in. */
export interface ByEmail {
  readonly url: string
  readonly email: string
  /** Have a code mailed instead of giving the password. */
  readonly code: boolean
  readonly passwordStdin: boolean
  readonly role: KeyRole
  /** The club's id where it is known; else it is asked. */
  readonly club: Option.Option<string>
}

const grantOf = Effect.fnUntraced(function*({ code, email, passwordStdin, url }: ByEmail) {
  const open = yield* makeClient({ baseUrl: url })
  const address = yield* Effect.mapError(
    Schema.decodeUnknownEffect(KnownEmail)(email),
    () => new UsageError({ message: "--email is not an e-mail address" })
  )
  if (!code) {
    const password = passwordStdin
      ? yield* lineOfStdin("the password")
      : yield* hidden("Password", "--password-stdin, or sign in with a key: --key-stdin")
    return yield* oneOf(url, open.adminAuth.signIn({ payload: { email: address, password }, ...bare }))
  }
  const instead = "a password: --password-stdin, or a key: --key-stdin"
  yield* needTerminal(instead)
  yield* answerOf(url, open.adminAuth.access({ payload: { email: address }, ...bare }))
  yield* note("A mail is on its way, if there is such an account: its link ends with a code, good for 15 minutes")
  const mailed = yield* hidden("Code", instead)
  const text = Redacted.value(mailed).trim().replace(/^.*(?:token|code)=/, "")
  return yield* oneOf(url, open.adminAuth.exchange({ payload: { code: Redacted.make(text) }, ...bare }))
})

const choose = Effect.fnUntraced(function*(clubs: ReadonlyArray<Thing>, wanted: Option.Option<string>) {
  if (Option.isSome(wanted)) {
    const found = clubs.find((club) => textAt(club, "organization_id") === wanted.value.toLowerCase())
    return found ?? (yield* new UsageError({ message: `This account has no club ${wanted.value}` }))
  }
  const [only, ...others] = clubs
  if (only === undefined) return yield* failed("This account has no club yet")
  if (others.length === 0) return only
  const choices = clubs.map((value) => ({
    title: harmlessLine(`${textAt(value, "name")} (${textAt(value, "role")})`),
    value
  }))
  return yield* asked(Prompt.Select({ message: "Which club?", choices }), "--club ID")
})

/**
 * Signs in for as long as it takes to make a key of the club, which is all that is kept. Ctrl-C ends it also while it asks or
 * waits; a session that there is by then ends first, and a key that is made by then with it.
 */
export const keyByEmail = (given: ByEmail) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const grant = yield* restore(grantOf(given))
      const client = yield* makeClient({ baseUrl: given.url, token: textAt(grant, "access_token") })
      const making = Effect.gen(function*() {
        const me = yield* oneOf(given.url, client.account.me(bare))
        const club = yield* choose(clubsOf(me), given.club)
        const club_id = textAt(club, "organization_id")
        return yield* makeKey(given.url, client, { club_id, role: given.role })
      })
      const made = yield* Effect.ensuring(
        restore(making),
        Effect.ignore(answerOf(given.url, client.sessions.end(bare)))
      )
      // Ctrl-C that came while the session ended is heard here, where the key is known.
      return yield* Effect.onInterrupt(
        restore(Effect.succeed(made)),
        () => Effect.ignore(revokeMade({ url: given.url, key: made.key }))
      )
    })
  )
