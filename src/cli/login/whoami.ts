import { Effect, Option } from "effect"
import { textAt, type Thing } from "../output/Json.ts"
import { printFields } from "../output/Print.ts"
import { shownKey } from "../profile/Profiles.ts"
import { oneOf } from "../remote/Answers.ts"
import { bare, connection, presentedKey } from "../remote/Connection.ts"
import { untilDone } from "../remote/run.ts"
import { at, momentAt } from "../remote/Shown.ts"

/** `turma whoami`: the service answers it, so it shows whether the key is accepted. */
export const whoami = untilDone(Effect.gen(function*() {
  const { client, from, isKey, key, profile, url } = yield* connection
  const said = (title: string, text: string) => ({ title, value: () => text })
  const here = [
    said("Service", url),
    said(Option.isSome(profile) ? "Profile" : "From", from),
    said("Key", shownKey(key))
  ]
  if (!isKey) {
    const session = yield* oneOf(url, client.sessions.current(bare))
    return yield* printFields(
      [
        ...here,
        at("Person", "account", "name"),
        at("E-mail", "account", "email"),
        momentAt("Ends", "session", "expires_at")
      ],
      session
    )
  }
  const own = yield* presentedKey(url, key)
  const right = (own: Thing) => textAt(own, "role") || textAt(own, "scopes")
  yield* printFields([
    ...here,
    at("Name", "name"),
    at("Club", "club_name"),
    at("Club's id", "organization_id"),
    { title: "May", value: right },
    momentAt("Ends", "expires_at")
  ], own)
}))
