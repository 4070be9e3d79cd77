import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sweepDeviceLogins } from "../../../src/membership/keys/DeviceLogins.ts"
import { AppLayer, at, foundClub, outcome, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { admins, registered } from "../accounts/People.ts"
import { headingOf, show, submit } from "../pages/Visiting.ts"

const pending = [409, "authorization_pending"]
const invalid = [422, "device_code_invalid"]

const begin = Effect.map(
  send("POST", "/v1/auth/device", { body: { name: "Command line on ana-laptop" } }),
  (begun) => ({
    begun,
    device: String(at(begun.json, "data", "device_code")),
    code: String(at(begun.json, "data", "user_code"))
  })
)
const redeem = (device_code: string) => send("POST", "/v1/auth/device/token", { body: { device_code } })
const approve = (
  { path, token }: { readonly path: string; readonly token: string },
  user_code: string,
  role = "support"
) => send("POST", `${path}/keys/devices`, { token, body: { user_code, role } })

layer(AppLayer)("A terminal", (it) => {
  it.effect("waits for an administrator, and gets a key of their club once", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { begun, code, device } = yield* begin
      assert.deepStrictEqual([begun.status, begun.headers["cache-control"]], [201, "no-store"])
      assert.strictEqual(at(begun.json, "data", "interval_seconds"), 10)
      assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
      assert.match(
        String(at(begun.json, "data", "verification_url_complete")),
        new RegExp(`/account/terminal\\?code=${code}$`)
      )
      assert.deepStrictEqual(outcome(yield* redeem(device)), pending)

      const approved = yield* approve(club, code.toLowerCase().replace("-", " "))
      assert.deepStrictEqual([approved.status, at(approved.json, "data", "name")], [200, "Command line on ana-laptop"])
      const redeemed = yield* redeem(device)
      const { club_name, holder, name, organization_id, role, token } = Object(at(redeemed.json, "data"))
      assert.deepStrictEqual(
        { club_name, holder: holder.id, name, organization_id, role },
        {
          club_name: "Violão Fácil",
          holder: club.owner.id,
          name: "Command line on ana-laptop",
          organization_id: club.organization_id,
          role: "support"
        }
      )
      assert.strictEqual((yield* send("GET", `${club.path}/students`, { token })).status, 200)
      assert.deepStrictEqual(outcome(yield* redeem(device)), invalid)
      assert.deepStrictEqual(outcome(yield* approve(club, code)), invalid)
    }))

  it.effect("is let in by the administration alone, and by one of them", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const { code, device } = yield* begin
      for (const role of ["editor", "support", "viewer"] as const) {
        assert.strictEqual((yield* approve({ ...club, token: yield* tokenAs(club, role) }, code)).status, 403)
      }
      assert.deepStrictEqual(outcome(yield* approve(club, code, "owner")), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* redeem(device)), pending)
      const answers = yield* Effect.forEach([club, other, club, other], (one) => approve(one, code), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422, 422])
    }))

  it.effect("gets one key, however often it asks at once", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { code, device } = yield* begin
      yield* approve(club, code)
      const answers = yield* Effect.replicateEffect(redeem(device), 5, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422, 422, 422])
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual((yield* sql`select 1 from club_keys where club_id = ${club.id}`).length, 1)
    }))

  it.effect("has ten minutes, and nothing is left of it after them", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [late, never] = [yield* begin, yield* begin]
      yield* approve(club, late.code)
      yield* TestClock.adjust(Duration.minutes(10))
      assert.deepStrictEqual(outcome(yield* redeem(late.device)), invalid)
      assert.deepStrictEqual(outcome(yield* redeem(never.device)), invalid)
      assert.deepStrictEqual(
        outcome(yield* approve({ ...club, token: yield* tokenOf(club.owner) }, never.code)),
        invalid
      )
      yield* sweepDeviceLogins
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select 1 from device_logins`, [])
    }))

  it.effect("gets no key of who is no member any more", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const admin = yield* makeMember(club, "admin")
      const { code, device } = yield* begin
      assert.strictEqual((yield* approve({ ...club, token: yield* tokenOf(admin) }, code)).status, 200)
      yield* send("DELETE", `${club.path}/members/${admin.id}`, { token: club.token })
      assert.deepStrictEqual(outcome(yield* redeem(device)), invalid)
    }))

  it.effect("is kept as hashes alone", () =>
    Effect.gen(function*() {
      const { code, device } = yield* begin
      const sql = yield* SqlClient.SqlClient
      const rows = JSON.stringify(yield* sql`select d::text from device_logins d`)
      for (const secret of [device, code, code.replace("-", "")]) assert.notInclude(rows, secret)
    }))
})

layer(AppLayer)("The page for a terminal", (it) => {
  const page = "/account/terminal"
  const password = "correct horse"

  /** A person with a password who has founded these clubs. */
  const founder = Effect.fnUntraced(function*(clubs: ReadonlyArray<string>) {
    const { email } = yield* registered(admins)
    for (const club_name of clubs) {
      const { status } = yield* submit("/account/club", { club_name, email, password, locale: "en" })
      assert.strictEqual(status, 303)
    }
    return email
  })

  it.effect("lets it into the one club that somebody administers", () =>
    Effect.gen(function*() {
      const email = yield* founder(["Violão Fácil"])
      const { code, device } = yield* begin
      const shown = yield* show(`${page}?code=${code}`)
      assert.deepStrictEqual([shown.status, headingOf(shown)], [200, "Let a terminal in"])
      assert.include(shown.text, `value="${code}"`)
      const done = yield* submit(page, { user_code: code, email, password, role: "editor" })
      assert.deepStrictEqual([done.status, headingOf(done)], [200, "Command line on ana-laptop is let in"])
      assert.include(done.text, "It works for Violão Fácil now")
      const redeemed = yield* redeem(device)
      assert.deepStrictEqual([redeemed.status, at(redeemed.json, "data", "role")], [200, "editor"])
    }))

  it.effect("asks for the club where there are several, and lets it into that one", () =>
    Effect.gen(function*() {
      const email = yield* founder(["Violão", "Flauta"])
      const { code, device } = yield* begin
      const form = { user_code: code, email, password, role: "viewer" }
      const asked = yield* submit(page, form)
      assert.strictEqual(asked.status, 422)
      assert.include(asked.text, "Choose the club")
      assert.notInclude(asked.text, password)
      const [, club = ""] = /<option value="([^"]+)"[^>]*>Flauta</.exec(asked.text) ?? []
      assert.deepStrictEqual(outcome(yield* redeem(device)), pending)
      assert.strictEqual((yield* submit(page, { ...form, club })).status, 200)
      assert.strictEqual(at((yield* redeem(device)).json, "data", "club_name"), "Flauta")
    }))

  it.effect("lets it into no club that is another's, and says so to who administers none", () =>
    Effect.gen(function*() {
      const stranger = yield* foundClub()
      const email = yield* founder(["Violão"])
      const nobody = yield* founder([])
      const { code, device } = yield* begin
      const form = { user_code: code, email, password, role: "viewer", club: stranger.organization_id }
      const foreign = yield* submit(page, form)
      assert.strictEqual(foreign.status, 422)
      assert.notInclude(foreign.text, stranger.organization_id)
      const none = yield* submit(page, { ...form, email: nobody, club: "" })
      assert.strictEqual(none.status, 403)
      assert.include(none.text, "You administer no club.")
      assert.deepStrictEqual(outcome(yield* redeem(device)), pending)
    }))

  it.effect("says what is wrong with code and password, and leaves no session behind", () =>
    Effect.gen(function*() {
      const email = yield* founder(["Violão"])
      const sql = yield* SqlClient.SqlClient
      const sessions = sql`select s.id from user_sessions s join users u on u.id = s.user_id where u.email = ${email}`
      const before = yield* sessions
      const { code } = yield* begin
      const unknown = yield* submit(page, { user_code: "BBBB-BBBB", email, password, role: "viewer" })
      assert.strictEqual(unknown.status, 422)
      assert.include(unknown.text, "older than 10 minutes")
      assert.strictEqual(
        (yield* submit(page, { user_code: code, email, password: "wrong battery", role: "viewer" })).status,
        401
      )
      assert.strictEqual((yield* submit(page, { user_code: "", email, password, role: "viewer" })).status, 422)
      assert.strictEqual((yield* submit(page, { user_code: code, email, password, role: "owner" })).status, 422)
      assert.deepStrictEqual(yield* sessions, before)
    }))
})
