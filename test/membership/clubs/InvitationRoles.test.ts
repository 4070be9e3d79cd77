import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "../../../src/identity/people/Role.ts"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { InvitationId } from "../../../src/membership/clubs/Member.ts"
import { Members } from "../../../src/membership/clubs/Members.ts"
import { Email } from "../../../src/platform/http/Text.ts"
import { AppLayer, at, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { accept, guest, idOf, invite, messageOf, openIn, ownerWanted, withdraw } from "./Invite.ts"

const all: ReadonlyArray<Role> = ["owner", "admin", "editor", "support", "viewer"]
const forbidden = [403, "forbidden"]

layer(AppLayer)("An invitation's role", (it) => {
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
        if (role === "owner") assert.strictEqual(messageOf(byAdmin), ownerWanted)
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
      const withdrawn = yield* withdraw(admin, idOf(invitation))
      assert.deepStrictEqual([outcome(withdrawn), messageOf(withdrawn)], [forbidden, ownerWanted])
      const joined = yield* accept(person.token, yield* person.secret)
      assert.deepStrictEqual([joined.status, at(joined.json, "data", "role")], [200, "owner"])
    }))

  it.effect.each(["editor", "viewer", undefined] as const)(
    "is judged by the role that its maker has by then, not by what the session was looked up with: %s",
    (role) =>
      Effect.gen(function*() {
        const [members, sql, { find }] = [yield* Members, yield* SqlClient.SqlClient, yield* SessionStore]
        const club = yield* foundClub()
        const token = yield* tokenAs(club, "admin")
        const person = yield* guest
        const invitation = yield* invite(club, { email: person.email, role: "viewer" })
        const found = Option.getOrThrow(yield* find(Redacted.make(token), Option.some(club.organization_id)))
        assert(found._tag === "User")
        const { session, user } = found
        const credential = { kind: "session", session } as const
        const actor = { _tag: "Member", credential, user, ...Option.getOrThrow(found.membership) } as const
        const own = sql`club_id = ${club.id} and user_id = ${user.id}`
        yield* role === undefined
          ? sql`delete from members where ${own}`
          : sql`update members set role = ${role} where ${own}`

        const sent = { email: Email.make("a@b.example"), role: "viewer" } as const
        const id = InvitationId.make(String(idOf(invitation)))
        const refusals = [
          yield* Effect.flip(members.invite(actor, sent)),
          yield* Effect.flip(members.withdraw(actor, id))
        ]
        assert.deepStrictEqual(refusals.map(({ _tag }) => _tag), ["Forbidden", "Forbidden"])
        assert.deepStrictEqual(yield* openIn(club), [at(invitation.json, "data")])
      })
  )

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
