import { Effect, Option } from "effect"
import { usesEmbeddedPostgres } from "../../sql/DatabaseSettings.ts"
import { allowing } from "../Origins.ts"
import { serverSettings } from "../ServerSettings.ts"

/** Pages that somebody develops on the machine on which they try the service. */
const ownMachine = ["http://localhost:*", "http://127.0.0.1:*"]

/**
 * The origins that may call from a page: `ALLOWED_ORIGINS`, or by default the two apps and, with the embedded database,
 * this machine. The pages of `PUBLIC_URL` have our own origin, so no setting has to allow them.
 */
export const allowedOrigins = Effect.gen(function*() {
  const said = yield* serverSettings.ALLOWED_ORIGINS.read
  if (Option.isSome(said)) return allowing(said.value)
  const apps = [yield* serverSettings.DASHBOARD_URL.read, yield* serverSettings.CLASSROOM_URL.read]
  const isTried = yield* usesEmbeddedPostgres
  return allowing([...apps.flatMap(Option.toArray).map(({ origin }) => origin), ...(isTried ? ownMachine : [])])
})
