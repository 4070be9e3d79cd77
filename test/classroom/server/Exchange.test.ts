import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cookiesOf, sessionCookie, valueOf } from "../../console/server/Own.ts"
import { appLayer, at, codeOf, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { sendRaw } from "../../harness/RawHttp.ts"
import { access, currentSession, registered, studentsOf } from "../../membership/accounts/People.ts"
import { asClassroom, cookieName, ownHeaders, signInAsClassroom } from "./Own.ts"

const own = "/classroom/api/v1/auth/session"

layer(appLayer())("a student's session in the classroom", (it) => {
  it.effect("is in a cookie of the club that no script reads, and no answer has its token", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email } = yield* registered(studentsOf(club))
      const { answer, session } = yield* signInAsClassroom(club, email)
      assert.strictEqual(answer.status, 200)
      const [cookie = "", ...others] = cookiesOf(answer.headers)
      assert.deepStrictEqual(others, [])
      const [, ...attributes] = cookie.split("; ")
      const named = attributes.map((attribute) => attribute.replace(/^(Expires)=.*/, "$1")).toSorted()
      assert.deepStrictEqual(named, ["Expires", "HttpOnly", "Path=/", "SameSite=Strict", "Secure"])
      assert.notInclude(answer.text, session)
      assert.strictEqual((yield* currentSession(session)).status, 200)
    }))

  it.effect("begins with a mailed code and its address, and not with the code alone", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email } = yield* registered(studentsOf(club))
      const mailbox = yield* Mailbox
      yield* access(studentsOf(club), email)
      const code = yield* mailbox.secret(email)
      const alone = yield* asClassroom(club, "POST", "/classroom/session/code", { body: { code } })
      assert.deepStrictEqual([...outcome(alone), cookiesOf(alone.headers)], [422, "validation_failed", []])
      const answer = yield* asClassroom(club, "POST", "/classroom/session/code", { body: { code, email } })
      const session = valueOf(cookiesOf(answer.headers), cookieName(club)) ?? ""
      assert.strictEqual((yield* currentSession(session)).status, 200)
      assert.notInclude(answer.text, session)
    }))

  it.effect("is one of several: somebody in two clubs has one in each, and each page uses its own", () =>
    Effect.gen(function*() {
      const [first, second] = [yield* foundClub(), yield* foundClub()]
      const [here, there] = [yield* enrolledStudent(first), yield* enrolledStudent(second)]
      const cookies = { [cookieName(first)]: here.token, [cookieName(second)]: there.token }
      for (const [club, student] of [[first, here], [second, there]] as const) {
        const answer = yield* asClassroom(club, "GET", own, { cookies })
        assert.strictEqual(at(answer.json, "data", "account", "id"), student.id)
      }
      const foreign = `/classroom/api/v1/clubs/${second.organization_id}/classroom`
      assert.deepStrictEqual(outcome(yield* asClassroom(first, "GET", foreign, { cookies })), [403, "forbidden"])
    }))

  it.effect("is not an administrator's: each page has its own cookie", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const asStudent = yield* asClassroom(club, "GET", own, { cookies: { [sessionCookie]: club.token } })
      assert.deepStrictEqual(outcome(asStudent), [401, "unauthenticated"])
      const headers = {
        "sec-fetch-site": "same-origin",
        "turma-console": "1",
        cookie: `${cookieName(club)}=${student.token}`
      }
      assert.deepStrictEqual(outcome(yield* send("GET", "/console/api/v1/auth/session", { headers })), [
        401,
        "unauthenticated"
      ])
    }))

  it.effect("ends at once when its page signs out, and the cookie goes", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      const cookies = { [cookieName(club)]: token }
      const answer = yield* asClassroom(club, "DELETE", "/classroom/session", { cookies })
      assert.strictEqual(answer.status, 204)
      assert.match(cookiesOf(answer.headers)[0] ?? "", new RegExp(`^${cookieName(club)}=; Max-Age=0`))
      assert.strictEqual((yield* currentSession(token)).status, 401)
    }))

  const forged: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ["says nothing", {}],
    ["has not the header", { "sec-fetch-site": "same-origin" }],
    ["names no club", { "sec-fetch-site": "same-origin", "turma-classroom": "1" }],
    ["names the console", { "sec-fetch-site": "same-origin", "turma-console": "1" }],
    ["is of another site", { "sec-fetch-site": "cross-site" }],
    ["is of the same site alone", { "sec-fetch-site": "same-site" }],
    ["was typed into the address bar", { "sec-fetch-site": "none" }]
  ]

  it.effect.each(forged)("is of no use to a request that %s", ([name, sent]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      const named = /site/.test(name) ? { "turma-classroom": club.organization_id } : {}
      const headers = { ...named, ...sent, cookie: `${cookieName(club)}=${token}` }
      const refused = [
        yield* send("GET", own, { headers }),
        yield* send("DELETE", "/classroom/session", { headers }),
        yield* send("POST", "/classroom/session", { headers, body: {} }),
        yield* send("PUT", `/classroom/api${club.path}/classroom/lessons/a/completion`, { headers })
      ]
      for (const answer of refused) assert.deepStrictEqual(outcome(answer), [403, "forbidden"])
      assert.strictEqual((yield* currentSession(token)).status, 200)
    }))

  it.effect("opens no answer that a cache on the way may keep, and leaves alone what the API says about caches", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const cookies = { [cookieName(club)]: student.token }
      const kept = (path: string) =>
        Effect.map(
          asClassroom(club, "GET", `/classroom/api${club.path}${path}`, { cookies }),
          ({ headers, status }) => [status, headers["cache-control"]]
        )
      for (const path of ["/classroom/notifications", "/classroom/community", "/classroom/points", "/classroom/me"]) {
        const [status, cache] = yield* kept(path)
        assert.include([200, 404], status, path)
        assert.strictEqual(cache, "no-store", path)
      }
      assert.deepStrictEqual(yield* kept("/gamification"), [200, "private, no-cache"])
    }))

  it.effect("is given to no script: the API's own sign-in is shut below the exchange", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      for (const path of ["sign-in", "exchange", "admin/sign-in", "admin/exchange"]) {
        const answer = yield* asClassroom(club, "POST", `/classroom/api/v1/auth/${path}`, { body: {} })
        assert.deepStrictEqual(outcome(answer), [403, "forbidden"], path)
      }
    }))

  it.effect.each([
    "/classroom/api/internal/metrics",
    "/classroom/api/v1/../internal/metrics",
    "/classroom/api/v1/%2e%2e/internal/metrics",
    "/classroom/api/v1/..%2finternal/metrics",
    "/classroom/api/v1%2fauth%2fsession",
    "/classroom/api/v1\\..\\internal\\metrics",
    "/classroom/api/v1/..;/internal/metrics",
    "/classroom/api//internal/metrics",
    "/classroom/api//127.0.0.1/internal/metrics",
    "/classroom/api/http://127.0.0.1/internal/metrics",
    "http://turma.example/classroom/api/internal/metrics",
    "/classroom/api/v1?/v1/auth/session",
    "/classroom/api/V1/auth/session",
    "/Classroom/api/v1/auth/session",
    "/classroom/%2e%2e/v1/auth/session",
    `/classroom/api/v1/${"a".repeat(7000)}`,
    "/classroom/api/openapi.json",
    "/classroom/api/console/session",
    "/classroom/api/classroom/api/v1/auth/session",
    "/classroom/api/v1/classroom/api/v1/auth/session",
    "/classroom/./api/v1/auth/session",
    "//classroom/api/v1/auth/session"
  ])("leads to the contract alone, so not by %s", (target) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email, token } = yield* enrolledStudent(club)
      const headers = Object.entries({ ...ownHeaders(club), cookie: `${cookieName(club)}=${token}` })
      const answer = yield* sendRaw([
        `GET ${target} HTTP/1.1`,
        "Host: turma.example",
        ...headers.map(([name, value]) => `${name}: ${value}`),
        "Connection: close",
        "",
        ""
      ].join("\r\n"))
      const isPage = answer.headers["content-type"]?.startsWith("text/html") === true
      assert.isTrue(isPage || answer.status >= 400, `${target} is answered ${answer.status}`)
      assert.notInclude(answer.text, email)
    }))
})

layer(appLayer({ CLASSROOM_URL: "https://sala.example" }))("with an app elsewhere", (it) => {
  it.effect("nothing of the classroom is served here", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      const cookies = { [cookieName(club)]: token }
      for (
        const path of [`/classroom/${club.organization_id}`, `/classroom/${club.organization_id}/lessons/a`, own]
      ) {
        const answer = yield* asClassroom(club, "GET", path, { cookies })
        assert.deepStrictEqual([answer.status, codeOf(answer)], [404, "not_found"], path)
      }
      const signIn = yield* asClassroom(club, "POST", "/classroom/session", { body: {} })
      assert.deepStrictEqual(outcome(signIn), [404, "not_found"])
    }))
})
