import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, foundClub, keyOf, listAt, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

const forbidden = [403, "forbidden"]
const invalid = [422, "device_code_invalid"]

/** A club with a second administrator. */
const clubOfTwo = Effect.gen(function*() {
  const club = yield* foundClub()
  const admin = yield* makeMember(club, "admin")
  return { ...club, admin, admins: { ...club, token: yield* tokenOf(admin) } }
})
type Club = Effect.Success<typeof clubOfTwo>

const begin = Effect.map(send("POST", "/v1/auth/device", { body: { name: "Laptop" } }), ({ json }) => ({
  device: String(at(json, "data", "device_code")),
  code: String(at(json, "data", "user_code"))
}))
const approve = ({ path, token }: Pick<Club, "path" | "token">, user_code: string) =>
  send("POST", `${path}/keys/devices`, { token, body: { user_code, role: "support" } })
const redeem = (device_code: string) => send("POST", "/v1/auth/device/token", { body: { device_code } })
const adopt = ({ path, token }: Pick<Club, "path" | "token">, id: string) =>
  send("POST", `${path}/keys/${id}/adopt`, { token })
const keysOf = ({ path, token }: Club) =>
  Effect.map(send("GET", `${path}/keys`, { token }), ({ json }) => listAt(json, "data"))

/** Does the work during the administrator's removal, which locks the owners and the member before it deletes. */
const duringRemoval = Effect.fnUntraced(function*<A, E, R>({ admin, id }: Club, work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const [locked, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const removal = yield* sql`
    select 1 from members where club_id = ${id} and (role = 'owner' or user_id = ${admin.id})
    order by user_id for update
  `.pipe(
    Effect.andThen(Deferred.succeed(locked, undefined)),
    Effect.andThen(Deferred.await(go)),
    Effect.andThen(sql`delete from members where club_id = ${id} and user_id = ${admin.id}`),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(locked)
  const working = yield* Effect.forkChild(work)
  yield* untilBlocked()
  yield* Deferred.succeed(go, undefined)
  yield* Fiber.join(removal)
  return yield* Fiber.join(working)
})

layer(AppLayer)("Whom a key acts for", (it) => {
  it.effect("may be removed while another takes the key over, and neither fails", () =>
    Effect.gen(function*() {
      const club = yield* clubOfTwo
      const { id } = yield* keyOf(club.admins)
      const adopted = yield* duringRemoval(club, adopt(club, id))
      assert.deepStrictEqual([adopted.status, at(adopted.json, "data", "holder", "id")], [200, club.owner.id])
    }))

  it.effect("may be removed while the terminal fetches the key, which it then does not get", () =>
    Effect.gen(function*() {
      const club = yield* clubOfTwo
      const { code, device } = yield* begin
      assert.strictEqual((yield* approve(club.admins, code)).status, 200)
      assert.deepStrictEqual(outcome(yield* duringRemoval(club, redeem(device))), invalid)
      assert.deepStrictEqual(yield* keysOf(club), [])
    }))

  it.effect.each(["removed", "made a viewer"])(
    "is refused what they began before they were %s",
    (how) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const club = yield* clubOfTwo
        const { admin, admins } = club
        const { id } = yield* keyOf(club)
        const { code, device } = yield* begin
        const place = sql`club_id = ${club.id} and user_id = ${admin.id}`
        const change = how === "removed"
          ? sql`delete from members where ${place}`
          : sql`update members set role = 'viewer' where ${place}`
        const waiting = yield* whileHeld(
          sql`select 1 from members where ${place} for update`.pipe(Effect.andThen(change)),
          Effect.gen(function*() {
            const asking = yield* Effect.forkChild(Effect.all([
              Effect.map(keyOf(admins), ({ made }) => made),
              adopt(admins, id),
              approve(admins, code)
            ], { concurrency: "unbounded" }))
            yield* untilBlocked(3)
            return asking
          })
        )
        assert.deepStrictEqual((yield* Fiber.join(waiting)).map(outcome), [forbidden, forbidden, forbidden])
        assert.deepStrictEqual((yield* keysOf(club)).map((key) => at(key, "holder", "id")), [club.owner.id])
        assert.strictEqual((yield* redeem(device)).status, 409)
      })
  )

  it.effect("gets a terminal no key once they may make none", () =>
    Effect.gen(function*() {
      const club = yield* clubOfTwo
      const { code, device } = yield* begin
      assert.strictEqual((yield* approve(club.admins, code)).status, 200)
      yield* send("PATCH", `${club.path}/members/${club.admin.id}`, { token: club.token, body: { role: "editor" } })
      assert.deepStrictEqual(outcome(yield* redeem(device)), invalid)
      assert.deepStrictEqual(yield* keysOf(club), [])
    }))
})
