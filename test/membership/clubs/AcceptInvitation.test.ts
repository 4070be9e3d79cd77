import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, enrolledStudent, foundClub, outcome, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { accept, guest, idOf, invite, openIn, withdraw } from "./Invite.ts"

const forbidden = [403, "forbidden"]
const tokenInvalid = [422, "token_invalid"]

layer(AppLayer)("Accepting an invitation", (it) => {
  it.effect("makes a member with its role and closes it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const person = yield* guest
      yield* invite(club, { email: person.email, role: "editor" })
      assert.deepStrictEqual(outcome(yield* send("GET", club.path, { token: person.token })), forbidden)
      const answer = yield* accept(person.token, yield* person.secret)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: { organization_id: club.organization_id, role: "editor" }
      })
      assert.strictEqual((yield* send("GET", club.path, { token: person.token })).status, 200)
      assert.deepStrictEqual(yield* openIn(club), [])
    }))

  it.effect("is for the invited address alone, and anybody else's try does not use it up", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [person, other] = [yield* guest, yield* guest]
      yield* invite(club, { email: person.email, role: "admin" })
      const link = yield* person.secret
      assert.deepStrictEqual(outcome(yield* accept(other.token, link)), tokenInvalid)
      assert.deepStrictEqual(outcome(yield* accept(club.token, link)), tokenInvalid)
      assert.deepStrictEqual(outcome(yield* send("GET", club.path, { token: other.token })), forbidden)
      assert.strictEqual((yield* accept(person.token, link)).status, 200)
    }))

  it.effect("works once of ten times at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* foundClub()
      const person = yield* guest
      yield* invite(club, { email: person.email, role: "viewer" })
      const link = yield* person.secret
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => accept(person.token, link)), {
        concurrency: "unbounded"
      })
      const [first, ...others] = answers.toSorted((a, b) => a.status - b.status)
      assert.strictEqual(first?.status, 200)
      assert.deepStrictEqual(others.map(outcome), Array.from({ length: 9 }, () => tokenInvalid))
    }))

  it.effect("leaves a member the role that they have, and says which", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      for (const [has, invited] of [["admin", "viewer"], ["viewer", "admin"]] as const) {
        const person = yield* guest
        yield* invite(club, { email: person.email, role: invited })
        yield* makeMember(club, has, person.user)
        const answer = yield* accept(person.token, yield* person.secret)
        assert.deepStrictEqual<unknown>(answer.json, { data: { organization_id: club.organization_id, role: has } })
      }
      assert.deepStrictEqual(yield* openIn(club), [])
    }))

  it.effect("is for administrators", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const person = yield* guest
      yield* invite(club, { email: person.email, role: "viewer" })
      const link = yield* person.secret
      const { token } = yield* enrolledStudent(club)
      assert.deepStrictEqual(outcome(yield* accept(token, link)), [401, "unauthenticated"])
      const stranger = yield* send("POST", "/v1/invitations/accept", { body: { token: link } })
      assert.deepStrictEqual(outcome(stranger), [401, "unauthenticated"])
    }))

  it.effect("takes an unknown token for an invalid one, whatever it looks like", () =>
    Effect.gen(function*() {
      const { token } = yield* guest
      for (const unknown of ["x", "A".repeat(43), "A".repeat(200), token]) {
        assert.deepStrictEqual(outcome(yield* accept(token, unknown)), tokenInvalid)
      }
      for (const wrong of ["", 7, null, "A".repeat(201)]) {
        assert.deepStrictEqual(outcome(yield* accept(token, wrong)), [422, "validation_failed"])
      }
    }))
})

layer(AppLayer)("An invitation that is 7 days old", (it) => {
  it.effect("was good until then, is gone now, and may be sent again by anybody who may invite", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const people = { inTime: yield* guest, late: yield* guest }
      yield* invite(club, { email: people.inTime.email, role: "viewer" })
      const expired = yield* invite(club, { email: people.late.email, role: "owner" })
      const links = { inTime: yield* people.inTime.secret, late: yield* people.late.secret }
      // One millisecond before the invitation expires, which is also one before the sessions' idle time.
      yield* TestClock.adjust("167 hours")
      yield* TestClock.adjust("3599999 millis")
      assert.strictEqual((yield* accept(people.inTime.token, links.inTime)).status, 200)
      yield* TestClock.adjust("1 millis")
      const [token, admin] = [yield* tokenOf(club.owner), yield* tokenAs(club, "admin")]
      const late = yield* tokenOf(people.late.user)
      assert.deepStrictEqual(yield* openIn({ path: club.path, token }), [])
      assert.deepStrictEqual(outcome(yield* accept(late, links.late)), tokenInvalid)
      assert.deepStrictEqual(outcome(yield* withdraw({ path: club.path, token }, idOf(expired))), [404, "not_found"])
      const again = yield* invite({ path: club.path, token: admin }, { email: people.late.email, role: "viewer" })
      assert.strictEqual(again.status, 201)
      assert.strictEqual((yield* accept(late, yield* people.late.secret)).status, 200)
    }))
})
