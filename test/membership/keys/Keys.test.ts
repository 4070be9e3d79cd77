import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sweepKeys } from "../../../src/membership/keys/EndedKeys.ts"
import { AppLayer, at, foundClub, keyOf, listAt, outcome, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { call } from "../../harness/RawHttp.ts"

const unauthenticated = [401, "unauthenticated"]
const forbidden = [403, "forbidden"]
const notFound = [404, "not_found"]

/** The time after this duration, in the API's format. */
const after = (time: Duration.Input) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.addDuration(now, time)))

type Club = Effect.Success<ReturnType<typeof foundClub>>

const read = ({ path }: Club, token: string, what = "/courses") => send("GET", `${path}${what}`, { token })
const list = ({ path, token }: Club) =>
  Effect.map(send("GET", `${path}/keys`, { token }), ({ json }) => listAt(json, "data"))
const write = (club: Club, token: string) => send("POST", `${club.path}/courses`, { token, body: { title: "A" } })

layer(AppLayer)("A key of a club", (it) => {
  it.effect("is shown once with its token, and listed without", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { made, token } = yield* keyOf(club, { role: "editor" })
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.headers["cache-control"], "no-store")
      const [listed] = yield* list(club)
      const { token: _, ...shown } = Object(at(made.json, "data"))
      assert.deepStrictEqual(listed, shown)
      assert.deepStrictEqual([shown.status, shown.role, shown.scopes, shown.holder.id], [
        "active",
        "editor",
        null,
        club.owner.id
      ])
      assert.isTrue(token.startsWith(`turma_${shown.prefix}_`))
      const one = yield* send("GET", `${club.path}/keys/${shown.id}`, { token: club.token })
      assert.deepStrictEqual(at(one.json, "data"), shown)
    }))

  it.effect("is kept with the answer that an Idempotency-Key repeats, encrypted and not as a text", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const sql = yield* SqlClient.SqlClient
      const make = send("POST", `${club.path}/keys`, {
        token: club.token,
        body: { name: "Order system", role: "viewer" },
        headers: { "idempotency-key": "once" }
      })
      const [made, again] = [yield* make, yield* make]
      assert.deepStrictEqual([again.text, again.headers["idempotency-replayed"]], [made.text, "true"])
      const token = String(at(made.json, "data", "token"))
      const plain = (text: string) =>
        sql`select id from idempotency_keys where position(${Buffer.from(text)}::bytea in answer) > 0`
      assert.isNotEmpty(yield* sql`select id from idempotency_keys`)
      assert.deepStrictEqual([yield* plain(token.slice(15)), yield* plain("Order system")], [[], []])
    }))

  it.effect("is stored as a hash alone", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* keyOf(club)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`
        select k::text as key, t::text as token from club_keys k join club_key_tokens t on t.key_id = k.id
        where k.club_id = ${club.id}`
      assert.strictEqual(rows.length, 1)
      assert.notInclude(JSON.stringify(rows), token.slice(15))
    }))

  it.effect.each([{ role: "viewer" }, { scopes: ["students:read"] }])(
    "revokes itself, whatever it may: %j",
    (right) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { id, token } = yield* keyOf(club, right)
        const other = yield* keyOf(club)
        assert.strictEqual((yield* send("DELETE", "/v1/key", { token })).status, 204)
        assert.deepStrictEqual(outcome(yield* send("GET", "/v1/key", { token })), unauthenticated)
        assert.deepStrictEqual(outcome(yield* send("DELETE", "/v1/key", { token })), unauthenticated)
        assert.deepStrictEqual(outcome(yield* send("DELETE", "/v1/key", { token: club.token })), unauthenticated)
        assert.strictEqual((yield* send("GET", "/v1/key", { token: other.token })).status, 200)
        const listed = yield* list(club)
        assert.strictEqual(Object(listed.find((key) => Object(key).id === id)).status, "revoked")
      })
  )

  it.effect("is made by the administration alone, and never an owner's", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      for (const role of ["editor", "support", "viewer"] as const) {
        const { made } = yield* keyOf({ ...club, token: yield* tokenAs(club, role) })
        assert.deepStrictEqual(outcome(made), forbidden)
      }
      assert.strictEqual((yield* keyOf({ ...club, token: yield* tokenAs(club, "admin") })).made.status, 201)
      assert.deepStrictEqual(outcome((yield* keyOf(club, { role: "owner" })).made), [422, "validation_failed"])
    }))

  it.effect("has a role, scopes or both", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = [{ role: undefined }, { scopes: [] }, { scopes: ["students:delete"] }, {
        scopes: ["clubs:read", "clubs:read"]
      }]
      for (const given of refused) {
        assert.deepStrictEqual(
          outcome((yield* keyOf(club, given)).made),
          [422, "validation_failed"],
          JSON.stringify(given)
        )
      }
      const both = yield* keyOf(club, { role: "viewer", scopes: ["content:write"] })
      assert.deepStrictEqual([(yield* read(club, both.token)).status, outcome(yield* write(club, both.token))], [
        200,
        forbidden
      ])
    }))

  it.effect("does what its role may, and no more", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* keyOf(club, { role: "viewer" })
      assert.strictEqual((yield* read(club, token)).status, 200)
      assert.deepStrictEqual(outcome(yield* write(club, token)), forbidden)
      assert.deepStrictEqual(outcome(yield* read(club, token, "/webhook-endpoints")), forbidden)
      const editor = yield* keyOf(club, { role: "editor" })
      assert.strictEqual((yield* write(club, editor.token)).status, 201)
    }))

  it.effect("with scopes enters their areas alone, and writes only where they say so", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* keyOf(club, { role: undefined, scopes: ["content:read", "webhooks:write"] })
      assert.strictEqual((yield* read(club, token)).status, 200)
      assert.deepStrictEqual(outcome(yield* write(club, token)), forbidden)
      assert.strictEqual((yield* read(club, token, "/webhook-endpoints")).status, 200)
      for (const area of ["/students", "/billing", "/community", "/product-mappings"]) {
        assert.deepStrictEqual(outcome(yield* read(club, token, area)), forbidden, area)
      }
    }))

  it.effect("opens nothing of another club, and nothing that is a person's", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const { token } = yield* keyOf(club)
      assert.deepStrictEqual(outcome(yield* read(other, token)), forbidden)
      for (
        const [method, path] of [
          ["GET", "/v1/me"],
          ["GET", "/v1/auth/session"],
          ["DELETE", "/v1/auth/session"],
          ["GET", `${club.path}/members`],
          ["GET", `${club.path}/keys`],
          ["POST", `${club.path}/billing/portal`],
          ["GET", `${club.path}/classroom`]
        ] as const
      ) {
        const answer = yield* send(method, path, { token })
        assert.deepStrictEqual(outcome(answer), unauthenticated, path)
        assert.match(String(at(answer.json, "error", "message")), /^The token is a club's key; this route wants /)
      }
    }))

  it.effect("tells what it is", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id, token } = yield* keyOf(club, { role: undefined, scopes: ["students:read"] })
      const { json, status } = yield* send("GET", "/v1/key", { token })
      assert.strictEqual(status, 200)
      const { acts_as, club_name, id: own, organization_id, scopes } = Object(at(json, "data"))
      assert.deepStrictEqual(
        { acts_as, club_name, own, organization_id, scopes },
        {
          acts_as: "admin",
          club_name: "Violão Fácil",
          own: id,
          organization_id: club.organization_id,
          scopes: ["students:read"]
        }
      )
      assert.deepStrictEqual(outcome(yield* send("GET", "/v1/key", { token: club.token })), unauthenticated)
    }))

  it.effect("ends at once when it is revoked, for good, with every token that it had", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const key = yield* keyOf(club)
      const one = `${club.path}/keys/${key.id}`
      const rotated = yield* send("POST", `${one}/rotate`, { token: club.token })
      const next = String(at(rotated.json, "data", "token"))
      for (const _ of [1, 2]) assert.strictEqual((yield* send("DELETE", one, { token: club.token })).status, 204)
      for (const token of [key.token, next]) assert.deepStrictEqual(outcome(yield* read(club, token)), unauthenticated)
      const [listed] = yield* list(club)
      assert.deepStrictEqual([at(listed, "status"), at(listed, "revoked_at")], ["revoked", yield* after(0)])
      for (const way of ["rotate", "adopt"]) {
        assert.deepStrictEqual(outcome(yield* send("POST", `${one}/${way}`, { token: club.token })), [409, "key_ended"])
      }
    }))

  it.effect("works with both tokens for 24 hours after a rotation, then with the new one alone", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const key = yield* keyOf(club)
      const rotated = yield* send("POST", `${club.path}/keys/${key.id}/rotate`, { token: club.token })
      const next = String(at(rotated.json, "data", "token"))
      assert.strictEqual(next.slice(0, 15), key.token.slice(0, 15))
      assert.strictEqual(at(rotated.json, "data", "previous_token_ends_at"), yield* after("24 hours"))
      yield* TestClock.adjust(Duration.minutes(24 * 60 - 1))
      for (const token of [key.token, next]) assert.strictEqual((yield* read(club, token)).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(outcome(yield* read(club, key.token)), unauthenticated)
      assert.strictEqual((yield* read(club, next)).status, 200)
    }))

  it.effect("is given one new token, however often a rotation is sent again with its key", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* keyOf(club)
      const rotate = call("POST", `${club.path}/keys/${id}/rotate`, {
        headers: { authorization: `Bearer ${club.token}`, "idempotency-key": "rotate" }
      })
      const [first, again] = [yield* rotate, yield* rotate]
      assert.deepStrictEqual([first.status, again.json], [200, first.json])
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual((yield* sql`select 1 from club_key_tokens where club_id = ${club.id}`).length, 2)
    }))

  it.effect("that revokes itself is counted against its address, outside of clubs", () =>
    Effect.gen(function*() {
      const { token } = yield* keyOf(yield* foundClub())
      const ended = yield* send("DELETE", "/v1/key", { token })
      assert.deepStrictEqual([ended.status, ended.text], [204, ""])
      assert.match(String(ended.headers["ratelimit-policy"]), /^"ip-writes";/)
      assert.deepStrictEqual(outcome(yield* send("GET", "/v1/key", { token })), unauthenticated)
    }))

  it.effect("has at most five tokens beside the newest one", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* keyOf(club)
      const rotate = send("POST", `${club.path}/keys/${id}/rotate`, { token: club.token })
      for (let turn = 0; turn < 5; turn++) assert.strictEqual((yield* rotate).status, 200)
      assert.deepStrictEqual(outcome(yield* rotate), [409, "key_rotation_limit_reached"])
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(
        (yield* send("POST", `${club.path}/keys/${id}/rotate`, { token: yield* tokenOf(club.owner) })).status,
        200
      )
    }))

  it.effect("ends when it said it would, which is in the future", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const past = yield* keyOf(club, { expires_at: yield* after(0) })
      assert.deepStrictEqual(outcome(past.made), [422, "expires_in_past"])
      const { token } = yield* keyOf(club, { expires_at: yield* after("1 hour") })
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual((yield* read(club, token)).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(outcome(yield* read(club, token)), unauthenticated)
      assert.strictEqual(at((yield* list(club))[0], "status"), "expired")
    }))

  it.effect("works from its networks alone", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const elsewhere = yield* keyOf(club, { allowed_networks: ["203.0.113.0/24", "2001:db8::/32"] })
      const here = yield* keyOf(club, { allowed_networks: ["203.0.113.0/24", "127.0.0.0/8", "::1/128"] })
      assert.deepStrictEqual(outcome(yield* read(club, elsewhere.token)), unauthenticated)
      assert.strictEqual((yield* read(club, here.token)).status, 200)
      for (const network of ["203.0.113.1/24", "203.0.113.1", "::ffff:10.0.0.0/104", "a"]) {
        const { made } = yield* keyOf(club, { allowed_networks: [network] })
        assert.deepStrictEqual(outcome(made), [422, "validation_failed"], network)
      }
      const many = Array.from({ length: 21 }, (_, n) => `203.0.113.${n}/32`)
      assert.deepStrictEqual(outcome((yield* keyOf(club, { allowed_networks: many })).made), [422, "validation_failed"])
      assert.strictEqual((yield* keyOf(club, { allowed_networks: many.slice(1) })).made.status, 201)
    }))

  it.effect("says when it was last used and from where, to ten minutes", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* keyOf(club)
      const used = Effect.map(list(club), ([key]) => at(key, "last_used_at"))
      assert.isNull(yield* used)
      const begin = yield* after(0)
      yield* read(club, token)
      assert.strictEqual(yield* used, begin)
      yield* TestClock.adjust("9 minutes")
      yield* read(club, token)
      assert.strictEqual(yield* used, begin)
      yield* TestClock.adjust("1 minute")
      yield* read(club, token)
      assert.strictEqual(yield* used, yield* after(0))
      assert.match(String(at((yield* list(club))[0], "last_used_address")), /^(?:127\.0\.0\.1|::1)$/)
    }))

  it.effect("may no more than whom it acts for may today", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const admin = yield* makeMember(club, "admin")
      const { token } = yield* keyOf({ ...club, token: yield* tokenOf(admin) })
      assert.strictEqual((yield* read(club, token, "/webhook-endpoints")).status, 200)
      yield* send("PATCH", `${club.path}/members/${admin.id}`, { token: club.token, body: { role: "viewer" } })
      assert.deepStrictEqual(outcome(yield* read(club, token, "/webhook-endpoints")), forbidden)
      assert.deepStrictEqual(outcome(yield* write(club, token)), forbidden)
      assert.strictEqual((yield* read(club, token)).status, 200)
    }))

  it.effect("does not work once its maker is no member, until another administrator takes it over", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const admin = yield* makeMember(club, "admin")
      const { id, token } = yield* keyOf({ ...club, token: yield* tokenOf(admin) })
      yield* send("DELETE", `${club.path}/members/${admin.id}`, { token: club.token })
      assert.deepStrictEqual(outcome(yield* read(club, token)), unauthenticated)
      assert.deepStrictEqual([at((yield* list(club))[0], "status"), at((yield* list(club))[0], "holder")], [
        "unowned",
        null
      ])
      // A new membership does not revive the key.
      yield* makeMember(club, "admin", admin)
      assert.deepStrictEqual(outcome(yield* read(club, token)), unauthenticated)

      const adopted = yield* send("POST", `${club.path}/keys/${id}/adopt`, { token: club.token })
      assert.deepStrictEqual([at(adopted.json, "data", "status"), at(adopted.json, "data", "holder", "id")], [
        "active",
        club.owner.id
      ])
      assert.strictEqual((yield* read(club, token)).status, 200)
    }))

  it.effect("can be named anew and bound to other networks, and keeps its right", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id, token } = yield* keyOf(club)
      const patch = (body: object) => send("PATCH", `${club.path}/keys/${id}`, { token: club.token, body })
      const changed = yield* patch({
        name: "Shop",
        allowed_networks: ["203.0.113.0/24"],
        expires_at: "2027-01-01T00:00:00.000Z"
      })
      const { allowed_networks, expires_at, name, role } = Object(at(changed.json, "data"))
      assert.deepStrictEqual({ allowed_networks, expires_at, name, role }, {
        allowed_networks: ["203.0.113.0/24"],
        expires_at: "2027-01-01T00:00:00.000Z",
        name: "Shop",
        role: "admin"
      })
      assert.deepStrictEqual(outcome(yield* read(club, token)), unauthenticated)
      assert.deepStrictEqual(outcome(yield* patch({ role: "editor" })), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* patch({ expires_at: "1970-01-01T00:00:00.000Z" })), [
        422,
        "expires_in_past"
      ])
      assert.strictEqual((yield* patch({ allowed_networks: [], expires_at: null })).status, 200)
      assert.strictEqual((yield* read(club, token)).status, 200)
    }))

  it.effect("of another club is like one that there is not", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const { id, token } = yield* keyOf(other)
      for (
        const [method, way, body] of [["GET", ""], ["PATCH", "", {}], ["DELETE", ""], ["POST", "/rotate"], [
          "POST",
          "/adopt"
        ]] as const
      ) {
        const answer = yield* send(method, `${club.path}/keys/${id}${way}`, {
          token: club.token,
          ...(body === undefined ? {} : { body })
        })
        assert.deepStrictEqual(outcome(answer), notFound, `${method} ${way}`)
      }
      assert.strictEqual((yield* read(other, token)).status, 200)
    }))

  it.effect("is counted with the club's writes, and owns its idempotency keys", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [one, other] = [yield* keyOf(club), yield* keyOf(club)]
      const course = (token: string) =>
        call("POST", `${club.path}/courses`, {
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "a" },
          body: JSON.stringify({ title: "A" })
        })
      const first = yield* course(one.token)
      const again = yield* course(one.token)
      const others = yield* course(other.token)
      const idOf = (answer: { readonly json: unknown }) => at(answer.json, "data", "id")
      assert.strictEqual(idOf(again), idOf(first))
      assert.notStrictEqual(idOf(others), idOf(first))
      const left = (answer: { readonly headers: Readonly<Record<string, string | undefined>> }) =>
        Number(/^"club-writes";r=(\d+);/.exec(answer.headers["ratelimit"] ?? "")?.[1])
      assert.deepStrictEqual([left(again), left(others)], [left(first) - 1, left(first) - 2])
    }))

  it.effect("is one of at most a hundred", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* keyOf(club)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into club_keys (club_id, id, prefix, name, role, allowed_networks, user_id, created_at)
        select club_id, gen_random_uuid(), lpad(i::text, 8, '0'), name, role, allowed_networks, user_id, created_at
        from club_keys, generate_series(1, 99) i where club_id = ${club.id}`
      assert.deepStrictEqual(outcome((yield* keyOf(club)).made), [409, "key_limit_reached"])
      yield* send("DELETE", `${club.path}/keys/${id}`, { token: club.token })
      assert.strictEqual((yield* keyOf(club)).made.status, 201)
    }))

  it.effect("is forgotten 91 days after its end, and not before", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* keyOf(club)
      yield* keyOf(club)
      yield* send("DELETE", `${club.path}/keys/${id}`, { token: club.token })
      const counts = Effect.gen(function*() {
        yield* sweepKeys
        const sql = yield* SqlClient.SqlClient
        return yield* sql`select id from club_keys where club_id = ${club.id}`
      })
      yield* TestClock.adjust(Duration.hours(91 * 24 - 1))
      assert.strictEqual((yield* counts).length, 2)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* counts).length, 1)
    }))
})
