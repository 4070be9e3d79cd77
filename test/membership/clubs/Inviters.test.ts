import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "../../../src/identity/people/Role.ts"
import { AppLayer, at, foundClub, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { accept, guest, invite, openIn } from "./Invite.ts"

const tokenInvalid = [422, "token_invalid"]
const forbidden = [403, "forbidden"]

interface Club {
  readonly id: Parameters<typeof makeMember>[0]["id"]
  readonly path: string
  readonly token: string
}

interface Somebody {
  readonly id: string
}

const remove = ({ path, token }: Club, user: Somebody) => send("DELETE", `${path}/members/${user.id}`, { token })

const giveRole = ({ path, token }: Club, user: Somebody, role: Role) =>
  send("PATCH", `${path}/members/${user.id}`, { token, body: { role } })

/** A member with this role, who may invite. */
const inviterIn = Effect.fnUntraced(function*(club: Club, role: Role) {
  const user = yield* makeMember(club, role)
  return { ...user, path: club.path, token: yield* tokenOf(user) }
})

/** A person with an invitation of this inviter, and the link to accept it. */
const invitedBy = Effect.fnUntraced(function*(inviter: { readonly path: string; readonly token: string }, role: Role) {
  const person = yield* guest
  assert.strictEqual((yield* invite(inviter, { email: person.email, role })).status, 201)
  return { ...person, role, link: yield* person.secret }
})

const rolesOf = Effect.fnUntraced(function*(club: Club) {
  return (yield* openIn(club)).map((invitation) => at(invitation, "role")).toSorted()
})

const isMember = Effect.fnUntraced(function*({ path }: Club, { token }: { readonly token: string }) {
  return (yield* send("GET", path, { token })).status === 200
})

layer(AppLayer)("What a member invited to", (it) => {
  it.effect("is void once they are removed, for good, and what others invited to is not", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const inviter = yield* inviterIn(club, "admin")
      yield* makeMember(other, "admin", inviter)
      const people = [yield* invitedBy(inviter, "admin"), yield* invitedBy(inviter, "viewer")]
      const others = [
        yield* invitedBy(club, "editor"),
        yield* invitedBy({ path: other.path, token: inviter.token }, "admin")
      ]
      assert.strictEqual((yield* remove(club, inviter)).status, 204)
      assert.deepStrictEqual(yield* rolesOf(club), ["editor"])
      yield* makeMember(club, "owner", inviter)
      for (const { link, token } of people) {
        assert.deepStrictEqual(outcome(yield* accept(token, link)), tokenInvalid)
        assert.deepStrictEqual(outcome(yield* send("GET", club.path, { token })), forbidden)
      }
      for (const { link, token } of others) assert.strictEqual((yield* accept(token, link)).status, 200)
    }))

  it.effect("is void once they leave by themselves", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const inviter = yield* inviterIn(club, "admin")
      const person = yield* invitedBy(inviter, "viewer")
      assert.strictEqual((yield* remove({ ...club, token: inviter.token }, inviter)).status, 204)
      assert.deepStrictEqual(outcome(yield* accept(person.token, person.link)), tokenInvalid)
    }))

  it.effect.each([
    ["owner", "owner", ["admin", "owner", "viewer"]],
    ["owner", "admin", ["admin", "viewer"]],
    ["owner", "editor", []],
    ["admin", "owner", ["admin", "viewer"]],
    ["admin", "admin", ["admin", "viewer"]],
    ["admin", "editor", []],
    ["admin", "support", []],
    ["admin", "viewer", []]
  ] as const)(
    "keeps what they could still invite to when they go from %s to %s",
    ([from, to, kept]) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const inviter = yield* inviterIn(club, from)
        const roles: ReadonlyArray<Role> = from === "owner" ? ["owner", "admin", "viewer"] : ["admin", "viewer"]
        const people = yield* Effect.forEach(roles, (role) => invitedBy(inviter, role))
        assert.strictEqual((yield* giveRole(club, inviter, to)).status, 200)
        assert.deepStrictEqual(yield* rolesOf(club), [...kept])
        for (const { link, role, token } of people) {
          const expected = kept.some((one) => one === role) ? [200, undefined] : tokenInvalid
          assert.deepStrictEqual(outcome(yield* accept(token, link)), expected, role)
        }
      })
  )

  it.effect.each(["editor", undefined] as const)(
    "is judged again when it is accepted, by what its maker is then: %s",
    (role) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const club = yield* foundClub()
        const inviter = yield* inviterIn(club, "admin")
        const person = yield* invitedBy(inviter, "viewer")
        const place = sql`club_id = ${club.id} and user_id = ${inviter.id}`
        yield* role === undefined
          ? sql`delete from members where ${place}`
          : sql`update members set role = ${role} where ${place}`
        assert.deepStrictEqual(outcome(yield* accept(person.token, person.link)), tokenInvalid)
        assert.isFalse(yield* isMember(club, person))
      })
  )
})

const decodeWaiting = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ waiting: Schema.Int })]))

/** Waits until a statement in this database waits for a lock. */
const somebodyWaits = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.pipe(Effect.flatMap(decodeWaiting), Effect.repeat({ until: ([{ waiting }]) => waiting > 0 }))
})

layer(AppLayer)("Accepting while the inviter is removed", (it) => {
  it.effect("waits for a removal that came first, and is then refused", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const inviter = yield* inviterIn(club, "admin")
      const person = yield* invitedBy(inviter, "admin")
      const [removed, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const removal = yield* sql`delete from members where club_id = ${club.id} and user_id = ${inviter.id}`.pipe(
        Effect.andThen(Deferred.succeed(removed, undefined)),
        Effect.andThen(Deferred.await(done)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(removed)
      const accepting = yield* Effect.forkChild(accept(person.token, person.link))
      yield* somebodyWaits
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(removal)
      assert.deepStrictEqual(outcome(yield* Fiber.join(accepting)), tokenInvalid)
      assert.isFalse(yield* isMember(club, person))
    }))

  it.effect("makes a member only if it was answered so, leaves no invitation, and neither fails", () =>
    Effect.gen(function*() {
      yield* warmPool
      for (let round = 0; round < 20; round++) {
        const club = yield* foundClub()
        const inviter = yield* inviterIn(club, "admin")
        const [one, other] = [yield* invitedBy(inviter, "admin"), yield* invitedBy(inviter, "viewer")]
        const late = yield* guest
        const people = [one, other]
        const [removal, invited, ...accepted] = yield* Effect.all([
          remove(club, inviter),
          invite(inviter, { email: late.email, role: "admin" }),
          ...people.map(({ link, token }) => accept(token, link))
        ], { concurrency: "unbounded" })
        assert.strictEqual(removal.status, 204)
        assert.include([201, 403], invited.status)
        for (const [index, person] of people.entries()) {
          const status = accepted[index]?.status ?? 0
          assert.include([200, 422], status)
          assert.strictEqual(yield* isMember(club, person), status === 200)
        }
        assert.deepStrictEqual(yield* openIn(club), [])
        for (const { link, token } of people) {
          assert.deepStrictEqual(outcome(yield* accept(token, link)), tokenInvalid)
        }
      }
    }))

  it.effect("never deadlocks where whoever accepts is a member and whoever removes may be removed", () =>
    Effect.gen(function*() {
      yield* warmPool
      for (let round = 0; round < 20; round++) {
        const club = yield* foundClub()
        const [inviter, rival] = [yield* inviterIn(club, "owner"), yield* inviterIn(club, "owner")]
        const person = yield* invitedBy(inviter, "admin")
        yield* makeMember(club, "owner", person.user)
        const answers = yield* Effect.all([
          accept(person.token, person.link),
          remove({ ...club, token: rival.token }, inviter),
          remove({ ...club, token: inviter.token }, rival),
          remove(club, person.user),
          giveRole({ ...club, token: person.token }, inviter, "viewer")
        ], { concurrency: "unbounded" })
        assert.deepStrictEqual(answers.filter(({ status }) => status >= 500).map(outcome), [])
      }
    }))
})
