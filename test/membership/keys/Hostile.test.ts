import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { deviceInterval } from "../../../src/membership/keys/Device.ts"
import { AppLayer, appLayer, at, foundClub, keyOf, listAt, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { admins, registered } from "../accounts/People.ts"
import { submit } from "../pages/Visiting.ts"

const unauthenticated = [401, "unauthenticated"]
const forbidden = [403, "forbidden"]
const page = "/account/terminal"
const password = "correct horse"

type Club = Effect.Success<ReturnType<typeof foundClub>>

const read = ({ path }: Club, token: string, headers: Record<string, string> = {}) =>
  send("GET", `${path}/courses`, { token, headers })
const listed = ({ path, token }: Club) =>
  Effect.map(send("GET", `${path}/keys`, { token }), ({ json }) => listAt(json, "data"))

const begin = Effect.fnUntraced(function*(name = "Laptop") {
  const { json } = yield* send("POST", "/v1/auth/device", { body: { name } })
  return { device: String(at(json, "data", "device_code")), user_code: String(at(json, "data", "user_code")) }
})
const redeem = (device_code: string) => send("POST", "/v1/auth/device/token", { body: { device_code } })

/** A person with a password who has founded this many clubs. */
const founder = Effect.fnUntraced(function*(clubs: number) {
  const { email } = yield* registered(admins)
  for (let club = 1; club <= clubs; club++) {
    yield* submit("/account/club", { club_name: `Club ${club}`, email, password, locale: "en" })
  }
  return email
})

layer(AppLayer)("A key in wrong hands", (it) => {
  it.effect("is read from the header Authorization with its scheme alone", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* keyOf(club)
      const answers = (authorization: string) => send("GET", `${club.path}/courses`, { headers: { authorization } })
      for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`]) {
        assert.strictEqual((yield* answers(header)).status, 200, header.slice(0, 8))
      }
      const wrong = [token, `Basic ${token}`, `Bearer\t${token}`, `Bearer ${token},`, `Bearer "${token}"`]
      for (const header of [...wrong, `Bearer ${token.toLowerCase()}`, `Bearer ${token} ${token}`, "Bearer turma_"]) {
        assert.deepStrictEqual(outcome(yield* answers(header)), unauthenticated, header.slice(0, 8))
      }
      const elsewhere = yield* send("GET", `${club.path}/courses?access_token=${token}`, {
        headers: { cookie: `key=${token}`, "x-api-key": token }
      })
      assert.deepStrictEqual(outcome(elsewhere), unauthenticated)
    }))

  it.effect("may by HEAD what it may by GET", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* keyOf(club, { role: undefined, scopes: ["content:read"] })
      const statuses = yield* Effect.forEach(
        ["/courses", "/students"],
        (area) => Effect.map(send("HEAD", `${club.path}${area}`, { token }), ({ status }) => status)
      )
      assert.deepStrictEqual(statuses, [200, 403])
    }))

  it.effect("with scopes alone may no more than whom it acts for", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const admin = yield* makeMember(club, "admin")
      const { token } = yield* keyOf({ ...club, token: yield* tokenOf(admin) }, {
        role: undefined,
        scopes: ["content:write", "students:write"]
      })
      const course = send("POST", `${club.path}/courses`, { token, body: { title: "A" } })
      assert.strictEqual((yield* course).status, 201)
      yield* send("PATCH", `${club.path}/members/${admin.id}`, { token: club.token, body: { role: "support" } })
      assert.deepStrictEqual(outcome(yield* course), forbidden)
      const { json } = yield* send("GET", "/v1/key", { token })
      assert.strictEqual(at(json, "data", "acts_as"), "support")
    }))

  it.effect("is told that it is the key that may not", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const { token } = yield* keyOf(club, { role: "viewer" })
      const refused = [
        yield* send("POST", `${club.path}/courses`, { token, body: { title: "A" } }),
        yield* read(other, token),
        yield* send("GET", "/v1/clubs/6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10/courses", { token })
      ]
      for (const answer of refused) {
        assert.deepStrictEqual(outcome(answer), forbidden)
        assert.match(String(at(answer.json, "error", "message")), /^The key may not do this here: /)
      }
    }))

  it.effect("that is refused counts against its address, and spends nothing of the club", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id, token } = yield* keyOf(club, { role: "viewer" })
      const write = Effect.map(
        send("POST", `${club.path}/courses`, { token, body: { title: "A" } }),
        ({ headers, status }) => [status, /^"([^"]+)"/.exec(headers["ratelimit-policy"] ?? "")?.[1]]
      )
      assert.deepStrictEqual(yield* write, [403, "ip-writes"])
      yield* send("DELETE", `${club.path}/keys/${id}`, { token: club.token })
      assert.deepStrictEqual(yield* write, [401, "ip-writes"])
    }))

  it.effect("gets no answer again that it had, once it is revoked", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id, token } = yield* keyOf(club)
      const create = send("POST", `${club.path}/courses`, {
        token,
        body: { title: "A" },
        headers: { "idempotency-key": "a" }
      })
      assert.deepStrictEqual([(yield* create).status, (yield* create).headers["idempotency-replayed"]], [201, "true"])
      yield* send("DELETE", `${club.path}/keys/${id}`, { token: club.token })
      assert.deepStrictEqual(outcome(yield* create), unauthenticated)
    }))
})

layer(AppLayer)("A key that is used and changed at once", (it) => {
  it.effect("has one newest token, however often it is rotated at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* foundClub()
      const key = yield* keyOf(club)
      const rotate = send("POST", `${club.path}/keys/${key.id}/rotate`, { token: club.token })
      const answers = yield* Effect.replicateEffect(rotate, 7, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 409, 409])
      const sql = yield* SqlClient.SqlClient
      const newest = sql`select 1 from club_key_tokens where key_id = ${key.id} and ends_at is null`
      assert.strictEqual((yield* newest).length, 1)
      yield* TestClock.adjust("24 hours")
      const tokens = [key.token, ...answers.flatMap(({ json }) => at(json, "data", "token") ?? []).map(String)]
      const works = yield* Effect.forEach(tokens, (token) => read(club, token))
      assert.strictEqual(works.filter(({ status }) => status === 200).length, 1)
    }))

  it.effect("opens nothing with any token when it was revoked while it was rotated", () =>
    Effect.gen(function*() {
      yield* warmPool
      for (let round = 0; round < 5; round++) {
        const club = yield* foundClub()
        const key = yield* keyOf(club)
        const one = `${club.path}/keys/${key.id}`
        const [rotated, revoked] = yield* Effect.all([
          send("POST", `${one}/rotate`, { token: club.token }),
          send("DELETE", one, { token: club.token })
        ], { concurrency: "unbounded" })
        assert.strictEqual(revoked.status, 204)
        assert.include([200, 409], rotated.status)
        for (const token of [key.token, String(at(rotated.json, "data", "token"))]) {
          assert.deepStrictEqual(outcome(yield* read(club, token)), unauthenticated)
        }
      }
    }))

  it.effect("is let in by every request of many, of which the first writes its use", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* foundClub()
      const { token } = yield* keyOf(club)
      const answers = yield* Effect.replicateEffect(read(club, token), 20, { concurrency: "unbounded" })
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.isString(at((yield* listed(club))[0], "last_used_at"))
    }))
})

layer(appLayer({ TRUSTED_PROXIES: "127.0.0.0/8,::1/128" }))(
  "A key with networks behind a proxy",
  (it) => {
    it.effect("works where the proxy saw it come from, not where it says that it comes from", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { token } = yield* keyOf(club, { allowed_networks: ["203.0.113.0/24", "2001:db8::/32"] })
        const from = (address: string) => read(club, token, { "x-forwarded-for": address })
        for (
          const address of [
            "198.51.100.7",
            "203.0.113.7, 198.51.100.7",
            "203.0.113.7, ::ffff:198.51.100.7",
            "2001:db9::1",
            "203.0.113",
            "",
            ", "
          ]
        ) assert.deepStrictEqual(outcome(yield* from(address)), unauthenticated, address)
        assert.isNull(at((yield* listed(club))[0], "last_used_at"))
        for (
          const address of [
            "203.0.113.7",
            "203.0.113.7:443",
            "::ffff:203.0.113.8",
            "198.51.100.7, 203.0.113.9",
            "[2001:DB8::1]"
          ]
        ) {
          assert.strictEqual((yield* from(address)).status, 200, address)
        }
        assert.strictEqual(at((yield* listed(club))[0], "last_used_address"), "203.0.113.7")
      }))
  }
)

layer(AppLayer)("A form that lets a terminal in", (it) => {
  it.effect("shows what a terminal calls itself as text", () =>
    Effect.gen(function*() {
      const email = yield* founder(1)
      const { user_code } = yield* begin("<script>alert(1)</script>\"'&")
      const done = yield* submit(page, { user_code, email, password, role: "viewer" })
      assert.strictEqual(done.status, 200)
      assert.notInclude(done.text, "<script>alert")
      assert.include(done.text, "&lt;script&gt;alert(1)")
    }))

  it.effect("lets it into no club that somebody only edits", () =>
    Effect.gen(function*() {
      const email = yield* founder(1)
      const edited = yield* foundClub()
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into members (club_id, user_id, role, created_at)
        select ${edited.id}, id, 'editor', now() from users where email = ${email}`
      const { device, user_code } = yield* begin()
      const form = { user_code, email, password, role: "viewer", club: edited.organization_id }
      const refused = yield* submit(page, form)
      assert.strictEqual(refused.status, 422)
      assert.notInclude(refused.text, edited.organization_id)
      assert.strictEqual((yield* redeem(device)).status, 409)
    }))

  it.effect("takes nothing from another site, and lets nobody in by what no browser sends", () =>
    Effect.gen(function*() {
      const email = yield* founder(2)
      const sql = yield* SqlClient.SqlClient
      const sessions = sql`select s.id from user_sessions s join users u on u.id = s.user_id where u.email = ${email}`
      const before = yield* sessions
      const { device, user_code } = yield* begin()
      const form = { user_code, email, password, role: "admin" }
      const foreign = yield* submit(page, form, { "sec-fetch-site": "cross-site", origin: "https://evil.example" })
      assert.strictEqual(foreign.status, 403)
      const hostile = [
        "\u0000",
        "' or true --",
        "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
        "\ud83d".repeat(9),
        "1".repeat(999)
      ]
      for (const text of hostile) {
        for (const field of ["club", "role", "user_code"]) {
          const answer = yield* submit(page, { ...form, [field]: text })
          assert.strictEqual(answer.status, 422, `${field} ${text.slice(0, 20)}`)
        }
      }
      assert.strictEqual((yield* redeem(device)).status, 409)
      assert.deepStrictEqual(yield* sessions, before)
    }))
})

layer(appLayer({ RATE_LIMIT_CREDENTIALS: "10" }))("A terminal that waits", (it) => {
  it.effect("leaves whoever lets it in from the same address a sign-in, a choice of the club and a slip", () =>
    Effect.gen(function*() {
      const email = yield* founder(2)
      yield* TestClock.adjust("1 minute")
      const { device, user_code } = yield* begin()
      const form = { user_code, email, password, role: "viewer" }
      const statuses: Array<number> = []
      for (let second = deviceInterval; second < 60; second += deviceInterval) {
        yield* TestClock.adjust(Duration.seconds(deviceInterval))
        statuses.push((yield* redeem(device)).status)
        if (statuses.length > 3) continue
        statuses.push((yield* submit(page, { ...form, password: statuses.length < 3 ? "battery" : password })).status)
      }
      assert.notInclude(statuses, 429)
    }))
})
