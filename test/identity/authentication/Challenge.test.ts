import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub } from "../../harness/App.ts"
import { call } from "../../harness/RawHttp.ts"

// RFC 6750, 3: the words of a 401 about the credential that the route wants.

const administrators = "an administrator's live session: Authorization: Bearer <token> from POST /v1/auth/admin/sign-in"
const students = "a student's live session: Authorization: Bearer <token> from POST /v1/auth/sign-in"
const either = "a live session: Authorization: Bearer <token> from POST /v1/auth/admin/sign-in or POST /v1/auth/sign-in"

const plain = "Bearer realm=\"turma\""
const key = "a key of the club: Authorization: Bearer turma_..."
const refused = `${plain}, error="invalid_token"`

const asked = Effect.fnUntraced(function*(path: string, authorization?: string) {
  const { headers, json, status } = yield* call("GET", path, {
    headers: authorization === undefined ? {} : { authorization }
  })
  const error = at(json, "error")
  return [status, at(error, "code"), headers["www-authenticate"], at(error, "message")]
})

layer(AppLayer)("A 401", (it) => {
  it.effect("says which session the route wants, and of a token that it is none", () =>
    Effect.gen(function*() {
      const { path } = yield* foundClub()
      const routes = [
        ["/v1/me", administrators],
        [`${path}/members`, administrators],
        [`${path}/classroom`, students],
        [`${path}/gamification`, `${either}, or ${key}`],
        [`${path}/courses`, `${administrators}, or ${key}`],
        ["/v1/key", key],
        ["/v1/auth/session", either]
      ] as const
      for (const [route, wanted] of routes) {
        const message = `This route wants ${wanted}`
        assert.deepStrictEqual(yield* asked(route), [401, "unauthenticated", plain, message], route)
        for (const authorization of ["Basic YTpi", "Bearer", "Bearer "]) {
          assert.deepStrictEqual(yield* asked(route, authorization), [401, "unauthenticated", plain, message], route)
        }
        const unknown = yield* asked(route, `Bearer ${"a".repeat(43)}`)
        assert.deepStrictEqual(unknown, [401, "unauthenticated", refused, message], route)
      }
    }))

  it.effect("says to whose session the token belongs, where it opens one of the other kind", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      for (const route of ["/v1/me", `${club.path}/members`, `${(yield* foundClub()).path}/members`]) {
        assert.deepStrictEqual(yield* asked(route, `Bearer ${student.token}`), [
          401,
          "unauthenticated",
          refused,
          `The token is a student's; this route wants ${administrators}`
        ])
      }
      assert.deepStrictEqual(yield* asked(`${club.path}/classroom`, `Bearer ${club.token}`), [
        401,
        "unauthenticated",
        refused,
        `The token is an administrator's; this route wants ${students}`
      ])
    }))

  it.effect("is the only answer with a challenge", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const other = yield* foundClub()
      for (const [route, status] of [["/v1/me", 200], [`${path}/members?zzz=1`, 422], [`${other.path}/members`, 403]]) {
        const answer = yield* asked(String(route), `Bearer ${token}`)
        assert.deepStrictEqual([answer[0], answer[2]], [status, undefined])
      }
    }))
})
