import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../src/identity/people/Role.ts"
import { AppLayer, at, foundClub, listAt, outcome, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { makeMember, makeUser } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { isAbout } from "../../harness/Refusals.ts"
import { messageOf, ownerWanted } from "./Invite.ts"

const all: ReadonlyArray<Role> = ["owner", "admin", "editor", "support", "viewer"]

/** True for roles that an admin may neither give nor change. */
const aboveAdmin = (role: Role) => role === "owner"

const forbidden = [403, "forbidden"]

interface Club {
  readonly path: string
  readonly token: string
}

const giveRole = ({ path }: Club, token: string, user: { readonly id: string }, role: unknown) =>
  send("PATCH", `${path}/members/${user.id}`, { token, body: { role } })

const remove = ({ path }: Club, token: string, user: { readonly id: string }) =>
  send("DELETE", `${path}/members/${user.id}`, { token })

const rolesIn = Effect.fnUntraced(function*({ path, token }: Club) {
  const { json } = yield* send("GET", `${path}/members`, { token })
  return new Map(listAt(json, "data").map((member) => [at(member, "id"), at(member, "role")]))
})

layer(AppLayer)("Changing a role", (it) => {
  it.effect("answers the member with the new role", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const user = yield* makeMember(club, "viewer")
      const answer = yield* giveRole(club, club.token, user, "editor")
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: {
          id: user.id,
          name: user.name,
          email: user.email,
          role: "editor",
          created_at: "1970-01-01T00:00:00.000Z"
        }
      })
      assert.strictEqual((yield* rolesIn(club)).get(user.id), "editor")
    }))

  it.effect.each(all.flatMap((from) => all.map((to) => [from, to] as const)))(
    "from %s to %s is for owners, and for admins where neither is owner",
    ([from, to]) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const users = { owner: yield* makeMember(club, from), admin: yield* makeMember(club, from) }
        assert.strictEqual((yield* giveRole(club, club.token, users.owner, to)).status, 200)
        const byAdmin = yield* giveRole(club, yield* tokenAs(club, "admin"), users.admin, to)
        const refused = aboveAdmin(from) || aboveAdmin(to)
        assert.deepStrictEqual(outcome(byAdmin), refused ? forbidden : [200, undefined])
        if (refused) assert.strictEqual(messageOf(byAdmin), ownerWanted)
        const roles = yield* rolesIn(club)
        assert.deepStrictEqual([roles.get(users.owner.id), roles.get(users.admin.id)], [to, refused ? from : to])
      })
  )

  it.effect.each(["editor", "support", "viewer"] as const)(
    "is not for a member who is %s",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const actor = yield* makeMember(club, role)
        const token = yield* tokenOf(actor)
        const user = yield* makeMember(club, "viewer")
        assert.deepStrictEqual(outcome(yield* giveRole(club, token, user, "viewer")), forbidden)
        assert.deepStrictEqual(outcome(yield* giveRole(club, token, actor, "owner")), forbidden)
        assert.deepStrictEqual(outcome(yield* remove(club, token, user)), forbidden)
        const roles = yield* rolesIn(club)
        assert.deepStrictEqual([roles.get(user.id), roles.get(actor.id)], ["viewer", role])
      })
  )

  it.effect("lets an admin step down, but not up", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const admin = yield* makeMember(club, "admin")
      const token = yield* tokenOf(admin)
      assert.deepStrictEqual(outcome(yield* giveRole(club, token, admin, "owner")), forbidden)
      assert.strictEqual((yield* giveRole(club, token, admin, "viewer")).status, 200)
      assert.deepStrictEqual(outcome(yield* giveRole(club, token, admin, "admin")), forbidden)
    }))

  it.effect("counts from the next request on", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const user = yield* makeMember(club, "viewer")
      const token = yield* tokenOf(user)
      const rename = send("PATCH", club.path, { token, body: { name: "Novo" } })
      assert.deepStrictEqual(outcome(yield* rename), forbidden)
      yield* giveRole(club, club.token, user, "admin")
      assert.strictEqual((yield* rename).status, 200)
      yield* giveRole(club, club.token, user, "viewer")
      assert.deepStrictEqual(outcome(yield* rename), forbidden)
    }))

  it.effect.each([["role", {}], ["role", { role: "god" }], ["role", { role: null }], ["name", {
    role: "viewer",
    name: "A"
  }]])(
    "refuses a wrong %s: %j",
    ([field, body]) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const user = yield* makeMember(club, "editor")
        const answer = yield* send("PATCH", `${club.path}/members/${user.id}`, { token: club.token, body })
        assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
        assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
        assert.strictEqual((yield* rolesIn(club)).get(user.id), "editor")
      })
  )

  it.effect("finds a member by their id in either case", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = (yield* makeMember(club, "viewer")).id.toUpperCase()
      assert.strictEqual((yield* giveRole(club, club.token, { id }, "editor")).status, 200)
      assert.strictEqual((yield* remove(club, club.token, { id })).status, 204)
    }))

  it.effect("finds nobody outside the club, and does not change them where they are", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const foreign = yield* makeMember(other, "viewer")
      const nowhere = yield* makeUser()
      for (const id of [foreign.id, nowhere.id, "0190a000-0000-7000-8000-000000000001", "malformed", "invitations"]) {
        assert.deepStrictEqual(outcome(yield* giveRole(club, club.token, { id }, "admin")), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* remove(club, club.token, { id })), [404, "not_found"])
      }
      assert.strictEqual((yield* rolesIn(other)).get(foreign.id), "viewer")
    }))
})

layer(AppLayer)("Removing a member", (it) => {
  it.effect.each(all)(
    "who is %s is for owners, and for admins unless it is an owner",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const users = { owner: yield* makeMember(club, role), admin: yield* makeMember(club, role) }
        assert.strictEqual((yield* remove(club, club.token, users.owner)).status, 204)
        const byAdmin = yield* remove(club, yield* tokenAs(club, "admin"), users.admin)
        assert.deepStrictEqual(outcome(byAdmin), aboveAdmin(role) ? forbidden : [204, undefined])
        const roles = yield* rolesIn(club)
        assert.deepStrictEqual([roles.has(users.owner.id), roles.has(users.admin.id)], [false, aboveAdmin(role)])
      })
  )

  it.effect("takes the right away at the next request and leaves the session and other clubs", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const user = yield* makeMember(club, "admin")
      yield* makeMember(other, "viewer", user)
      const token = yield* tokenOf(user)
      assert.strictEqual((yield* send("GET", club.path, { token })).status, 200)
      assert.strictEqual((yield* remove(club, club.token, user)).status, 204)
      assert.deepStrictEqual(outcome(yield* send("GET", club.path, { token })), forbidden)
      assert.strictEqual((yield* send("GET", other.path, { token })).status, 200)
      const { json } = yield* send("GET", "/v1/me", { token })
      assert.deepStrictEqual(listAt(json, "data", "organizations").map((it) => at(it, "organization_id")), [
        other.organization_id
      ])
    }))

  it.effect("is done once: after that there is no such member", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const user = yield* makeMember(club, "viewer")
      assert.strictEqual((yield* remove(club, club.token, user)).status, 204)
      assert.deepStrictEqual(outcome(yield* remove(club, club.token, user)), [404, "not_found"])
    }))

  it.effect("lets an owner leave if another one stays", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const token = yield* tokenAs(club, "owner")
      assert.strictEqual((yield* remove(club, club.token, club.owner)).status, 204)
      assert.deepStrictEqual([...(yield* rolesIn({ path: club.path, token })).values()], ["owner"])
    }))
})

layer(AppLayer)("The last owner", (it) => {
  it.effect("neither leaves nor steps down", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* makeMember(club, "admin")
      for (const role of ["admin", "editor", "support", "viewer"]) {
        assert.deepStrictEqual(outcome(yield* giveRole(club, club.token, club.owner, role)), [409, "last_owner"])
      }
      assert.deepStrictEqual(outcome(yield* remove(club, club.token, club.owner)), [409, "last_owner"])
      assert.strictEqual((yield* giveRole(club, club.token, club.owner, "owner")).status, 200)
      assert.strictEqual((yield* rolesIn(club)).get(club.owner.id), "owner")
    }))

  it.effect("is not the one of another club", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      yield* makeMember(other, "owner", club.owner)
      assert.deepStrictEqual(outcome(yield* remove(club, club.token, club.owner)), [409, "last_owner"])
    }))
})

/** Concurrent changes by two owners. The second one has lost their right, or is the last owner. */
const races = [
  { what: "demote each other", first: "other", second: "other", change: "demote", late: forbidden },
  { what: "remove each other", first: "other", second: "other", change: "remove", late: forbidden },
  { what: "step down", first: "self", second: "self", change: "demote", late: [409, "last_owner"] },
  { what: "leave", first: "self", second: "self", change: "remove", late: [409, "last_owner"] }
] as const

layer(AppLayer)("Two owners at once", (it) => {
  it.effect.each(races)("$what, and one of them stays", ({ change, first, late, second }) =>
    Effect.gen(function*() {
      yield* warmPool
      for (let round = 0; round < 20; round++) {
        const club = yield* foundClub()
        const partner = yield* makeMember(club, "owner")
        const owners = [
          { user: club.owner, token: club.token, whom: first === "other" ? partner : club.owner },
          { user: partner, token: yield* tokenOf(partner), whom: second === "other" ? club.owner : partner }
        ]
        const answers = yield* Effect.forEach(owners, ({ token, whom }) =>
          change === "demote" ? giveRole(club, token, whom, "viewer") : remove(club, token, whom), {
          concurrency: "unbounded"
        })
        const [done, refused] = answers.toSorted((a, b) =>
          a.status - b.status
        )
        assert.strictEqual(done?.status, change === "demote" ? 200 : 204)
        assert.deepStrictEqual(refused && outcome(refused), [...late])
        const watcher = yield* tokenAs(club, "viewer")
        const left = [...(yield* rolesIn({ path: club.path, token: watcher })).values()]
        assert.lengthOf(left.filter((role) => role === "owner"), 1)
      }
    }))
})
