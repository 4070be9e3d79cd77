import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { type Answered, LoggedRequest } from "../../../src/platform/http/server/RequestLog.ts"
import { appLayer, at, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { access, admins, currentSession, newAddress, registered } from "../../membership/accounts/People.ts"
import { asPage, cookiesOf, operatorCookie, ownHeaders, sessionCookie, signInAsPage, valueOf } from "./Own.ts"

const secret = "a-long-random-text"

const logged: Array<{ readonly request: Answered | undefined; readonly text: string }> = []

const CollectorLayer = Logger.layer([
  Logger.make((line) => {
    logged.push({ request: line.fiber.getRef(LoggedRequest), text: JSON.stringify(Logger.formatStructured.log(line)) })
  })
], { mergeWithExisting: true })

layer(appLayer({ INTERNAL_SECRET: secret }).pipe(Layer.provide(CollectorLayer)))(
  "a session of the console",
  (it) => {
    it.effect("is in a cookie that no script reads, of this host alone, over HTTPS, for its own pages", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const { answer, session } = yield* signInAsPage(email)
        assert.strictEqual(answer.status, 200)
        const [cookie = "", ...others] = cookiesOf(answer.headers)
        assert.deepStrictEqual(others, [])
        const [, ...attributes] = cookie.split("; ")
        const named = attributes.map((attribute) => attribute.replace(/^(Expires)=.*/, "$1")).toSorted()
        assert.deepStrictEqual(named, ["Expires", "HttpOnly", "Path=/", "SameSite=Strict", "Secure"])
        assert.isTrue(cookie.startsWith(`${sessionCookie}=`))
        assert.strictEqual((yield* currentSession(session)).status, 200)
      }))

    it.effect("begins with an answer that has no token anywhere", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const { answer, session } = yield* signInAsPage(email)
        assert.isAbove(session.length, 20)
        assert.notInclude(answer.text, session)
        const { "set-cookie": _, ...headers } = answer.headers
        assert.notInclude(JSON.stringify(headers), session)
        assert.deepStrictEqual(Object.keys(Object(at(answer.json, "data"))).toSorted(), ["expires_at", "session"])
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        assert.strictEqual(Number(answer.headers["content-length"]), Buffer.byteLength(answer.text))
      }))

    it.effect("begins with a mailed code too", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const mailbox = yield* Mailbox
        yield* access(admins, email)
        const code = yield* mailbox.secret(email)
        const answer = yield* asPage("POST", "/console/session/code", { body: { code, email } })
        const session = valueOf(cookiesOf(answer.headers), sessionCookie) ?? ""
        assert.strictEqual((yield* currentSession(session)).status, 200)
        assert.notInclude(answer.text, session)
        assert.deepStrictEqual(
          outcome(yield* asPage("POST", "/console/session/code", { body: { code, email } })),
          outcome(yield* send("POST", "/v1/auth/admin/exchange", { body: { code, email } }))
        )
      }))

    it.effect("does not begin with a code alone, which may be in anybody's link, and leaves the code unused", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const mailbox = yield* Mailbox
        yield* access(admins, email)
        const code = yield* mailbox.secret(email)
        const bare = JSON.stringify({ code })
        for (const body of [bare, ` \n${bare}`]) {
          const answer = yield* asPage("POST", "/console/session/code", { body })
          assert.deepStrictEqual(
            [...outcome(answer), at(answer.json, "error", "message"), cookiesOf(answer.headers)],
            [422, "validation_failed", "email is required", []]
          )
        }
        const withoutAddress = [{ code, email: null }, { code, email: "" }, { code, Email: email }, [{ code, email }]]
        for (const body of withoutAddress) {
          const answer = yield* asPage("POST", "/console/session/code", { body })
          assert.deepStrictEqual([...outcome(answer), cookiesOf(answer.headers)], [422, "validation_failed", []])
        }
        const broken = yield* asPage("POST", "/console/session/code", { body: "{" })
        assert.deepStrictEqual(outcome(broken), [400, "malformed_request"])
        assert.strictEqual((yield* asPage("POST", "/console/session/code", { body: { code, email } })).status, 200)
      }))

    it.effect("does not begin where the API refuses, and says what it says", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const { answer } = yield* signInAsPage(email, "another")
        assert.deepStrictEqual(outcome(answer), [401, "invalid_credentials"])
        assert.deepStrictEqual(cookiesOf(answer.headers), [])
        const broken = yield* asPage("POST", "/console/session", { body: "{" })
        assert.strictEqual(broken.status, 400)
        const bare = yield* asPage("POST", "/console/session", {
          body: "a=b",
          headers: { "content-type": "text/plain" }
        })
        assert.strictEqual(bare.status, 415)
      }))

    it.effect("ends everywhere at once when its page signs out, and the cookie goes", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const { session } = yield* signInAsPage(email)
        const answer = yield* asPage("DELETE", "/console/session", { session })
        assert.strictEqual(answer.status, 204)
        const [cookie = ""] = cookiesOf(answer.headers)
        assert.match(cookie, /^__Host-turma-session=;.*Max-Age=0/)
        assert.strictEqual((yield* currentSession(session)).status, 401)
        assert.strictEqual((yield* asPage("GET", "/console/api/v1/me", { session })).status, 401)
      }))

    it.effect("leaves the cookie's end to the browser where somebody else ended it", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const { session } = yield* signInAsPage(email)
        yield* send("DELETE", "/v1/auth/session", { token: session })
        const answer = yield* asPage("DELETE", "/console/session", { session })
        assert.match(cookiesOf(answer.headers)[0] ?? "", /^__Host-turma-session=;.*Max-Age=0/)
      }))

    it.effect("goes on with its cookie where signing out fails, so that it can be tried again", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { email } = yield* registered(admins)
        const { session } = yield* signInAsPage(email)
        // The API itself refuses here. After a defect the answer would keep no cookie anyway.
        yield* sql.unsafe(`
          create function is_busy() returns trigger language plpgsql as $$ begin
            raise 'Busy' using errcode = 'lock_not_available';
          end $$`)
        const failed = yield* Effect.acquireUseRelease(
          sql.unsafe(`
            create trigger sessions_are_busy before update or delete on user_sessions
            for each row execute function is_busy()`),
          () => asPage("DELETE", "/console/session", { session }),
          () => sql`drop trigger sessions_are_busy on user_sessions`
        )
        assert.strictEqual(failed.status, 503)
        assert.deepStrictEqual(cookiesOf(failed.headers), [])
        assert.strictEqual((yield* currentSession(session)).status, 200)
        const ended = yield* asPage("DELETE", "/console/session", { session })
        assert.match(cookiesOf(ended.headers)[0] ?? "", /^__Host-turma-session=;.*Max-Age=0/)
      }))

    it.effect("begins at its own door alone: no script gets a token, however it writes the address", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const body = { email, password: "correct horse" }
        assert.strictEqual((yield* send("POST", "/v1/auth/admin/sign-in", { body })).status, 200)
        for (const path of ["auth/admin/sign-in", "auth/admin/exchange", "auth/sign-in", "auth/exchange"]) {
          const answer = yield* asPage("POST", `/console/api/v1/${path}`, { body })
          assert.deepStrictEqual([...outcome(answer), answer.headers["cache-control"]], [403, "forbidden", "no-store"])
        }
        const ways = ["auth/admin/sign-in?x=1", "auth/admin/sign%2Din", "%61uth/admin/sign-in", "auth/admin/sign-in/"]
        for (const path of [...ways, "/auth//admin/sign-in", "auth/admin/sign-in;x", "auth/admin/sign-in%20"]) {
          const answer = yield* asPage("POST", `/console/api/v1/${path}`, { body })
          assert.isAtLeast(answer.status, 400, path)
          assert.notInclude(answer.text, "access_token")
        }
        const other = yield* asPage("POST", "/console/api/v1/auth/admin/password/forgot", { body: { email } })
        assert.isBelow(other.status, 300)
      }))

    it.effect("is what the API sees: rights, audit log, ETag, idempotency, exports and uploads are its own", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const base = `/console/api${club.path}`
        const first = yield* asPage("GET", base, { session: club.token })
        const direct = yield* send("GET", club.path, { token: club.token })
        assert.deepStrictEqual([first.status, first.text], [200, direct.text])
        const tag = (yield* asPage("GET", `${base}/gamification`, { session: club.token })).headers["etag"]
        if (tag !== undefined) {
          const again = yield* asPage("GET", `${base}/gamification`, {
            session: club.token,
            headers: { "if-none-match": tag }
          })
          assert.deepStrictEqual([again.status, again.text], [304, ""])
        }
        const create = () =>
          asPage("POST", `${base}/deliveries`, {
            session: club.token,
            body: { name: "Violão" },
            headers: { "idempotency-key": "once" }
          })
        const [made, replayed] = [yield* create(), yield* create()]
        assert.deepStrictEqual([made.status, replayed.text], [201, made.text])
        assert.strictEqual(replayed.headers["idempotency-replayed"], "true")
        const viewer = yield* tokenAs(club, "viewer")
        const refused = yield* asPage("POST", `${base}/deliveries`, { session: viewer, body: { name: "No" } })
        assert.deepStrictEqual(outcome(refused), [403, "forbidden"])
        const csv = yield* asPage("GET", `${base}/students/export.csv`, { session: club.token })
        assert.strictEqual(csv.headers["content-disposition"], "attachment; filename=\"students.csv\"")
        const audit = yield* asPage("GET", `${base}/audit-log`, { session: club.token })
        const operations = listAt(audit.json, "data").map((entry) => [at(entry, "operation"), at(entry, "outcome")])
        assert.deepStrictEqual(operations.slice(0, 2), [
          ["deliveries.create", "refused"],
          ["deliveries.create", "done"]
        ])
        assert.isTrue(first.headers["x-request-id"] !== undefined)
      }))

    it.effect("follows streams as the API sends them", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { address } = yield* HttpServer.HttpServer
        const port = address._tag === "UnixPathAddress" ? 0 : address.port
        const [type, first] = yield* Effect.promise(async () => {
          const controller = new AbortController()
          const response = await fetch(`http://127.0.0.1:${port}/console/api${club.path}/webhook-deliveries/stream`, {
            headers: { ...ownHeaders, cookie: `${sessionCookie}=${club.token}`, accept: "text/event-stream" },
            signal: controller.signal
          })
          const chunk = await response.body?.getReader().read()
          controller.abort()
          return [response.headers.get("content-type"), new TextDecoder().decode(chunk?.value)]
        })
        assert.match(type ?? "", /^text\/event-stream/)
        assert.isNotEmpty(first)
      }))

    it.effect("stands in the log as the API's route, without cookie or token", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        logged.length = 0
        yield* asPage("GET", `/console/api${club.path}?x=1`, { session: club.token })
        yield* asPage("DELETE", "/console/session", { session: club.token })
        yield* asPage("GET", "/console/api/v1/me", { session: club.token, headers: { "sec-fetch-site": "same-site" } })
        const routes = logged.flatMap(({ request }) => request === undefined ? [] : [[request.route, request.status]])
        assert.deepStrictEqual(routes, [["/v1/clubs/:clubId", 422], ["/v1/auth/session", 204], ["unknown", 403]])
        const whole = logged.map(({ text }) => text).join("\n")
        assert.notInclude(whole, club.token)
        assert.notInclude(whole, sessionCookie)
      }))

    it.effect("is no operator's: those come in by the service's secret, which their browser does not keep", () =>
      Effect.gen(function*() {
        const wrong = yield* asPage("POST", "/console/operator", { body: { secret: "another" } })
        assert.deepStrictEqual(outcome(wrong), [401, "unauthenticated"])
        assert.deepStrictEqual(cookiesOf(wrong.headers), [])
        for (const body of [{}, { secret: 1 }, { secret: { length: 18 } }]) {
          assert.strictEqual((yield* asPage("POST", "/console/operator", { body })).status, 401)
        }
        const broken = yield* asPage("POST", "/console/operator", { body: "{" })
        assert.deepStrictEqual(outcome(broken), [400, "malformed_request"])
        const right = yield* asPage("POST", "/console/operator", { body: { secret } })
        assert.strictEqual(right.status, 200)
        assert.strictEqual(right.headers["cache-control"], "no-store")
        const [cookie = ""] = cookiesOf(right.headers)
        assert.notInclude(cookie + right.text, secret)
        assert.match(cookie, /^__Host-turma-operator=\d+\.[\w-]{43};/)
        for (const attribute of ["HttpOnly", "Path=/", "SameSite=Strict", "Secure"]) assert.include(cookie, attribute)
        const left = yield* asPage("DELETE", "/console/operator")
        assert.match(cookiesOf(left.headers)[0] ?? "", /^__Host-turma-operator=;.*Max-Age=0/)
        const forged = yield* asPage("GET", "/console/operator/overview", {
          cookie: `${operatorCookie}=9999999999999.${"A".repeat(43)}`
        })
        assert.notStrictEqual(forged.status, 200)
      }))

    it.effect("of an operator opens nothing of the API, and a member's nothing of operators", () =>
      Effect.gen(function*() {
        const right = yield* asPage("POST", "/console/operator", { body: { secret } })
        const pass = valueOf(cookiesOf(right.headers), operatorCookie) ?? ""
        const asMember = yield* asPage("GET", "/console/api/v1/me", {
          cookie: `${operatorCookie}=${pass}; ${sessionCookie}=${pass}`
        })
        assert.strictEqual(asMember.status, 401)
        const { token } = yield* foundClub()
        const asOperator = yield* asPage("GET", "/console/operator/overview", {
          cookie: `${sessionCookie}=${token}; ${operatorCookie}=${token}`
        })
        assert.notStrictEqual(asOperator.status, 200)
      }))
  }
)

layer(appLayer({ RATE_LIMIT_CREDENTIALS: "3", INTERNAL_SECRET: secret }))(
  "the limits",
  (it) => {
    it.effect("of sign-ins are the API's own, by the address, whichever door is taken; operators count too", () =>
      Effect.gen(function*() {
        const wrong = { email: yield* newAddress, password: "not it at all" }
        assert.strictEqual((yield* asPage("POST", "/console/session", { body: wrong })).status, 401)
        assert.strictEqual((yield* send("POST", "/v1/auth/admin/sign-in", { body: wrong })).status, 401)
        assert.strictEqual((yield* asPage("POST", "/console/operator", { body: { secret: "x" } })).status, 401)
        const limited = yield* asPage("POST", "/console/session", { body: wrong })
        assert.deepStrictEqual(outcome(limited), [429, "rate_limited"])
        assert.isDefined(limited.headers["retry-after"])
        const operator = yield* asPage("POST", "/console/operator", { body: { secret } })
        assert.deepStrictEqual(outcome(operator), [429, "rate_limited"])
        assert.deepStrictEqual(cookiesOf(operator.headers), [])
      }))
  }
)

layer(appLayer())("without INTERNAL_SECRET", (it) => {
  it.effect("there is nothing for operators", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* asPage("POST", "/console/operator", { body: { secret: "" } })), [
        404,
        "not_found"
      ])
      assert.strictEqual((yield* asPage("GET", "/console/operator/overview")).status, 404)
    }))
})

layer(appLayer({ PUBLIC_URL: "http://127.0.0.1:3000" }))(
  "over HTTP, on this machine",
  (it) => {
    it.effect("the cookie has no prefix, and all else of it is the same", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const { answer } = yield* signInAsPage(email)
        const [cookie = ""] = cookiesOf(answer.headers)
        assert.match(cookie, /^turma-session=/)
        for (const attribute of ["HttpOnly", "Path=/", "SameSite=Strict"]) assert.include(cookie, attribute)
        assert.notInclude(cookie, "Secure")
      }))
  }
)
