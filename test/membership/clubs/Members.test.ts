import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../src/identity/people/Role.ts"
import { AppLayer, at, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeMember, makeUser } from "../../harness/Makers.ts"
import { isAbout } from "../../harness/Refusals.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const page = ({ path, token }: Club, query = "") => send("GET", `${path}/members${query}`, { token })

const idsOf = (answer: { readonly json: unknown }) => listAt(answer.json, "data").map((member) => at(member, "id"))

const nextOf = (answer: { readonly json: unknown }) => at(answer.json, "next_cursor")

/** A club with its owner and this many viewers. */
const clubOf = Effect.fnUntraced(function*(viewers: number) {
  const club = yield* foundClub()
  const others = yield* Effect.all(Array.from({ length: viewers }, () => makeMember(club, "viewer")))
  return { ...club, members: [club.owner, ...others].map(({ id }) => id) }
})

layer(AppLayer)("The members of a club", (it) => {
  it.effect("are listed with name, address, role and since when, to every member", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* foundClub()
      const roles: ReadonlyArray<Role> = ["admin", "editor", "support", "viewer"]
      for (const role of roles) {
        const answer = yield* page({ path: club.path, token: yield* tokenAs(club, role) })
        assert.strictEqual(answer.status, 200)
      }
      const user = yield* makeMember(club, "editor", yield* makeUser({ name: "Chiquinha" }))
      const answer = yield* page(club)
      assert.lengthOf(idsOf(answer), 6)
      assert.deepStrictEqual<unknown>(listAt(answer.json, "data").find((member) => at(member, "id") === user.id), {
        id: user.id,
        name: "Chiquinha",
        email: user.email,
        role: "editor",
        created_at: "1970-01-01T00:00:00.000Z"
      })
    }))

  it.effect("come 25 at a time unless said otherwise", () =>
    Effect.gen(function*() {
      const club = yield* clubOf(26)
      const first = yield* page(club)
      assert.lengthOf(idsOf(first), 25)
      const second = yield* page(club, `?cursor=${String(nextOf(first))}`)
      assert.lengthOf(idsOf(second), 2)
      assert.isNull(nextOf(second))
      assert.sameMembers([...idsOf(first), ...idsOf(second)], club.members)
    }))

  it.effect("are each on exactly one page while others join", () =>
    Effect.gen(function*() {
      const club = yield* clubOf(10)
      const seen: Array<unknown> = []
      let answer = yield* page(club, "?limit=3")
      seen.push(...idsOf(answer))
      while (nextOf(answer) !== null) {
        yield* makeMember(club, "viewer")
        answer = yield* page(club, `?limit=4&cursor=${String(nextOf(answer))}`)
        seen.push(...idsOf(answer))
      }
      assert.strictEqual(new Set(seen).size, seen.length)
      assert.includeMembers(seen, club.members)
    }))

  it.effect("are each on exactly one page while others leave, the one under the cursor included", () =>
    Effect.gen(function*() {
      const club = yield* clubOf(8)
      const viewers = idsOf(yield* page(club)).filter((id) => id !== club.owner.id)
      const first = yield* page(club, "?limit=4")
      const gone = idsOf(first).findLast((id) => id !== club.owner.id)
      const removed = yield* send("DELETE", `${club.path}/members/${String(gone)}`, club)
      assert.strictEqual(removed.status, 204)
      const rest = yield* page(club, `?cursor=${String(nextOf(first))}`)
      const seen = [...idsOf(first), ...idsOf(rest)]
      assert.lengthOf(seen, 9)
      assert.sameMembers(seen, [...viewers, club.owner.id])
    }))

  it.effect("end without a cursor where a page is exactly full", () =>
    Effect.gen(function*() {
      const club = yield* clubOf(3)
      const answer = yield* page(club, "?limit=4")
      assert.lengthOf(idsOf(answer), 4)
      assert.isNull(nextOf(answer))
    }))

  it.effect("are only those of the club, whatever cursor is sent", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* clubOf(2), yield* clubOf(4)]
      const cursor = nextOf(yield* page(other, "?limit=1"))
      const answer = yield* page(club, `?cursor=${String(cursor)}`)
      assert.strictEqual(answer.status, 200)
      assert.includeMembers([...club.members], idsOf(answer).map(String))
    }))

  it.effect.each([
    "",
    "x",
    "not-a-cursor",
    "%F0%9F%8E%B8",
    Buffer.from("{}").toString("base64url"),
    Buffer.from(`{"id":"1"}`).toString("base64url"),
    Buffer.from("0190a000-0000-7000-8000-000000000001").toString("base64url")
  ])("answer the cursor “%s” with 400", (cursor) =>
    Effect.gen(function*() {
      const answer = yield* page(yield* foundClub(), `?cursor=${cursor}`)
      assert.deepStrictEqual(outcome(answer), [400, "invalid_cursor"])
    }))

  it.effect.each(["1", "100"])("take the limit %s", (limit) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* page(yield* foundClub(), `?limit=${limit}`)).status, 200)
    }))

  it.effect.each(["0", "101", "-1", "1.5", "ten", ""])("refuse the limit “%s”", (limit) =>
    Effect.gen(function*() {
      const answer = yield* page(yield* foundClub(), `?limit=${limit}`)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), "limit"), answer.text)
    }))
})
