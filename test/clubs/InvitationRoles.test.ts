import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../src/clubs/Club.ts"
import { AppLayer, at, foundClub, outcome, send, tokenAs } from "../support/App.ts"
import { accept, guest, idOf, invite, openIn, withdraw } from "./Invite.ts"

const all: ReadonlyArray<Role> = ["owner", "admin", "editor", "support", "viewer"]
const forbidden = [403, "forbidden"]

layer(AppLayer, { timeout: "60 seconds" })("An invitation's role", (it) => {
  it.effect.each(all)(
    "may be %s if an owner invites, and for an admin unless it is owner",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const admin = { path: club.path, token: yield* tokenAs(club, "admin") }
        const [one, other] = [yield* guest, yield* guest]
        assert.strictEqual((yield* invite(club, { email: one.email, role })).status, 201)
        const byAdmin = yield* invite(admin, { email: other.email, role })
        assert.deepStrictEqual(outcome(byAdmin), role === "owner" ? forbidden : [201, undefined])
        assert.lengthOf(yield* other.mails, role === "owner" ? 0 : 1)
      })
  )

  it.effect("that is above an admin's own is neither replaced nor withdrawn by them", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const admin = { path: club.path, token: yield* tokenAs(club, "admin") }
      const person = yield* guest
      const invitation = yield* invite(club, { email: person.email, role: "owner" })
      assert.deepStrictEqual(outcome(yield* invite(admin, { email: person.email, role: "viewer" })), forbidden)
      assert.deepStrictEqual(outcome(yield* withdraw(admin, idOf(invitation))), forbidden)
      const joined = yield* accept(person.token, yield* person.secret)
      assert.deepStrictEqual([joined.status, at(joined.json, "data", "role")], [200, "owner"])
    }))

  it.effect.each(["editor", "support", "viewer"] as const)(
    "is no matter of a member who is %s",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const member = { path: club.path, token: yield* tokenAs(club, role) }
        const person = yield* guest
        const invitation = yield* invite(club, { email: person.email, role: "viewer" })
        const answers = [
          yield* invite(member, { email: "a@b.example", role: "viewer" }),
          yield* send("GET", `${club.path}/members/invitations`, member),
          yield* withdraw(member, idOf(invitation))
        ]
        assert.deepStrictEqual(answers.map(outcome), [forbidden, forbidden, forbidden])
        assert.deepStrictEqual(yield* openIn(club), [at(invitation.json, "data")])
      })
  )
})
