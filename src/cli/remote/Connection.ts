import { Effect, Option, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { makeClient } from "../../Client.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { UsageError } from "../errors/UsageError.ts"
import { textAt, type Thing } from "../output/Json.ts"
import { active } from "../profile/Active.ts"
import { oneOf } from "./Answers.ts"

/** The answer of an operation is wanted as it came: it may have fields and words that this version does not know. */
export const bare = { responseMode: "response-only" } as const

const isKey = (key: Redacted.Redacted) => Redacted.value(key).startsWith("turma_")

/** The presented key with its rights and its club. */
export const presentedKey = (url: string, key: Redacted.Redacted) =>
  Effect.flatMap(makeClient({ baseUrl: url, token: key }), (client) => oneOf(url, client.ownKey.get(bare)))

const isList = Schema.is(Schema.Array(Schema.Record(Schema.String, Schema.Json)))

/** The clubs of the person whose session this is. */
export const clubsOf = (me: Thing): ReadonlyArray<Thing> => {
  const clubs = me["organizations"]
  return isList(clubs) ? clubs : []
}

/** Says what to do next. */
export const noClubYet = "This account has no club yet: found one with npx turma clubs create --name NAME"

const several = (count: number) =>
  new UsageError({
    message: count === 0
      ? noClubYet
      : `This token is good for ${count} clubs: say which with --club or TURMA_CLUB (see npx turma clubs list)`
  })

const parseClub = (text: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(OrganizationId)(text.toLowerCase()),
    () => new UsageError({ message: `${text} is not the id of a club` })
  )

/** A connection to the service for the signed-in person. `club` asks the service unless a flag or variable names it. */
export const connection = Effect.gen(function*() {
  const { club_id, from, key, profile, url } = yield* active
  const client = yield* makeClient({ baseUrl: url, token: key })
  const http = yield* HttpClient.HttpClient
  const me = oneOf(url, client.account.me(bare))
  const club = Effect.gen(function*() {
    if (Option.isSome(club_id)) return yield* parseClub(club_id.value)
    if (isKey(key)) return yield* parseClub(textAt(yield* presentedKey(url, key), "organization_id"))
    const clubs = clubsOf(yield* me)
    const [only, ...others] = clubs
    if (only === undefined || others.length > 0) return yield* several(clubs.length)
    return yield* parseClub(textAt(only, "organization_id"))
  })
  return { url, key, from, profile, client, http, me, club, isKey: isKey(key) }
})

/** What `connection` answers. */
export type Connection = Effect.Success<typeof connection>

/** An id that a person gave, or what is wrong with it. */
export const parseId = <Id extends string>(schema: Schema.Codec<Id, string>, text: string, what: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(schema)(text.toLowerCase()),
    () => new UsageError({ message: `${text} is not the id of ${what}` })
  )

/** For what is not there and what cannot be. */
export const failed = (message: string): CommandFailure =>
  new CommandFailure({ message, exit_code: exitCodes.failed.code })
