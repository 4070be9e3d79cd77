import { Effect, Option, Redacted, Schema } from "effect"
import { Prompt } from "effect/cli"
import { makeClient, type TurmaClient } from "../../Client.ts"
import { KnownEmail } from "../../platform/http/Text.ts"
import { UsageError } from "../errors/UsageError.ts"
import { harmlessLine } from "../output/Harmless.ts"
import { asked, hidden, lineOfStdin, needTerminal } from "../output/Hidden.ts"
import { textAt, type Thing } from "../output/Json.ts"
import { note } from "../output/Write.ts"
import { usualUrl } from "../profile/Address.ts"
import { answerOf, oneOf } from "../remote/Answers.ts"
import { bare, clubsOf, failed, noClubYet } from "../remote/Connection.ts"
import { type KeyRole, makeKey, revokeMade } from "./ClubKeys.ts"

/** How an administrator signs in, as the flags say it. */
export interface SignIn {
  readonly email: Option.Option<string>
  /** Have a code mailed instead of giving the password. */
  readonly code: boolean
  readonly passwordStdin: boolean
  readonly role: KeyRole
}

/** The fault of flags that exclude or need each other. */
export const mixedUp = ({ code, email, passwordStdin }: SignIn): string | undefined => {
  if (Option.isNone(email) && (code || passwordStdin)) return "--code and --password-stdin go with --email"
  return code && passwordStdin ? "--code takes the place of a password: leave out --password-stdin" : undefined
}

/** The same with an address, and where. */
interface ByEmail extends Omit<SignIn, "email"> {
  readonly url: string
  readonly email: string
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

const choose = Effect.fnUntraced(function*(
  clubs: ReadonlyArray<Thing>,
  wanted: Option.Option<string>,
  { email, url }: { readonly email: string; readonly url: string }
) {
  if (Option.isSome(wanted)) {
    const found = clubs.find((club) => textAt(club, "organization_id") === wanted.value.toLowerCase())
    return found ?? (yield* new UsageError({ message: `This account has no club ${wanted.value}` }))
  }
  const [only, ...others] = clubs
  if (only === undefined) {
    const where = url === usualUrl ? "" : ` --url ${url}`
    return yield* failed(harmlessLine(`${noClubYet} --email ${email}${where}`))
  }
  if (others.length === 0) return only
  const choices = clubs.map((value) => ({
    title: harmlessLine(`${textAt(value, "name")} (${textAt(value, "role")})`),
    value
  }))
  return yield* asked(Prompt.Select({ message: "Which club?", choices }), "--club ID")
})

/** The chosen club of the account, by its id. */
interface Choice {
  readonly client: TurmaClient
  readonly email: string
  readonly url: string
  /** The club's id if it is known. */
  readonly wanted: Option.Option<string>
}

/** The id of the wanted club, or of the account's only one; of several clubs one is asked for. */
export const chosenClub = Effect.fnUntraced(function*({ client, email, url, wanted }: Choice) {
  const me = yield* oneOf(url, client.account.me(bare))
  return textAt(yield* choose(clubsOf(me), wanted, { email, url }), "organization_id")
})

/**
 * Signs in for as long as it takes to make a key of the club, and keeps only the key. Ctrl-C ends it also while it asks
 * or waits. An open session then ends first, and so does a new key.
 */
export const keyByEmail = <E, R>(given: ByEmail, clubOf: (client: TurmaClient) => Effect.Effect<string, E, R>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const grant = yield* restore(grantOf(given))
      const client = yield* makeClient({ baseUrl: given.url, token: textAt(grant, "access_token") })
      const making = Effect.gen(function*() {
        const club_id = yield* clubOf(client)
        return yield* makeKey(given.url, client, { club_id, role: given.role })
      })
      const made = yield* Effect.ensuring(
        restore(making),
        Effect.ignore(answerOf(given.url, client.sessions.end(bare)))
      )
      // A Ctrl-C that came while the session ended takes effect here, where the key is known.
      return yield* Effect.onInterrupt(
        restore(Effect.succeed(made)),
        () => Effect.ignore(revokeMade({ url: given.url, key: made.key }))
      )
    })
  )
