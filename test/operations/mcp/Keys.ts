import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../src/identity/people/Role.ts"
import { at, foundClub, send } from "../../harness/App.ts"

type Right = ({ readonly role: Exclude<Role, "owner"> } | { readonly scopes: ReadonlyArray<string> }) & {
  readonly expires_at?: string
  readonly allowed_networks?: ReadonlyArray<string>
}

/** Makes a key of the club. Answers its token and its id. */
export const keyFor = Effect.fnUntraced(function*(
  club: { readonly path: string; readonly token: string },
  right: Right = { role: "admin" }
) {
  const made = yield* send("POST", `${club.path}/keys`, { token: club.token, body: { name: "An agent", ...right } })
  assert.strictEqual(made.status, 201, made.text)
  return { id: String(at(made.json, "data", "id")), token: String(at(made.json, "data", "token")) }
})

/** A club with a key. The key's token takes the place of the owner's session. */
export const clubWithKey = Effect.fnUntraced(function*(right?: Right) {
  const club = yield* foundClub()
  const { id: keyId, token } = yield* keyFor(club, right)
  return { ...club, session: club.token, keyId, token }
})
