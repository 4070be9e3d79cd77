import { Config, Effect, Option, type Redacted, Schema } from "effect"
import { OrganizationId } from "../../../identity/ids/ClubId.ts"
import { UsageError } from "../../errors/UsageError.ts"

/** Which service to ask, of which club, and as whom. */
export interface Remote {
  readonly url: string
  readonly key: Redacted.Redacted
  readonly club_id: OrganizationId
}

const required = <A>(name: string, what: string, value: Option.Option<A>) =>
  Option.match(value, {
    onNone: () => Effect.fail(new UsageError({ message: `${name} is not set: it is ${what}` })),
    onSome: Effect.succeed
  })

const environment = Effect.orDie(Config.all({
  url: Config.option(Config.NonEmptyString("TURMA_URL")),
  key: Config.option(Config.Redacted("TURMA_KEY")),
  club: Config.option(Config.NonEmptyString("TURMA_CLUB"))
}))

/** The service as the environment names it: `TURMA_URL`, `TURMA_KEY` and `TURMA_CLUB`. */
export const remote = Effect.gen(function*() {
  const given = yield* environment
  const text = yield* required("TURMA_URL", "where the service is, such as https://turma.example", given.url)
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return yield* new UsageError({ message: "TURMA_URL: expected an http or https address" })
  }
  const key = yield* required("TURMA_KEY", "a key of the club, or an administrator's token", given.key)
  const club = yield* required("TURMA_CLUB", "the public id of the club", given.club)
  const club_id = yield* Schema.decodeUnknownEffect(OrganizationId)(club.toLowerCase()).pipe(
    Effect.mapError(() => new UsageError({ message: "TURMA_CLUB: expected the public id of a club" }))
  )
  const found: Remote = { url: url.href.replace(/\/+$/, ""), key, club_id }
  return found
})
