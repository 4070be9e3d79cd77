import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, appLayer, enrolledStudent, foundClub, outcome, send } from "../harness/App.ts"
import { clubOperations, isWrite, type Listed, operations, pathWith, sampleBody } from "../harness/Document.ts"

// http-surface, Conventions: route, session 401, club right 403, counter 429, body 415, 400 or 422, resource 404, state 409.

const unknownId = "018f0000-0000-7000-8000-000000000001"

/** Wrong bodies and media types, each with its refusal. */
const wrongBodies = [
  { sent: { body: "x", headers: { "content-type": "text/plain" } }, refusal: [415, "unsupported_media_type"] },
  { sent: { body: "{" }, refusal: [400, "malformed_request"] },
  { sent: { body: { unknown_field: true } }, refusal: [422, "validation_failed"] }
]

const withBody = operations.filter(({ requestBody }) => requestBody !== undefined)
const ofClub = (listed: ReadonlyArray<Listed>) => listed.filter((operation) => clubOperations.includes(operation))

const isMembers = ({ schemes }: Listed) => schemes.includes("userSession")
const isStudents = ({ schemes }: Listed) => schemes.includes("studentSession")

layer(AppLayer)("a request", (it) => {
  it.effect("hears of its route before its session", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* send("POST", "/v1/nothing", { body: "{" })), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* send("DELETE", "/v1/me", { body: "{" })), [405, "method_not_allowed"])
    }))

  it.effect("hears of its session, then of the club, before its body and its resource", () =>
    Effect.gen(function*() {
      const [mine, foreign] = [yield* foundClub(), yield* foundClub()]
      const student = yield* enrolledStudent(mine)
      for (const operation of ofClub(withBody)) {
        const path = pathWith(operation, { clubId: foreign.organization_id }, "nope")
        const token = isMembers(operation) ? mine.token : student.token
        for (const { sent } of wrongBodies) {
          assert.deepStrictEqual(
            outcome(yield* send(operation.method, path, sent)),
            [401, "unauthenticated"],
            operation.name
          )
          const answer = yield* send(operation.method, path, { ...sent, token })
          assert.deepStrictEqual(outcome(answer), [403, "forbidden"], operation.name)
        }
      }
    }))

  it.effect("hears of its body before its resource", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      // A sales hook is found by its token before the service reads the rest of the request.
      for (const operation of withBody.filter(({ path }) => path.startsWith("/v1/"))) {
        const token = isMembers(operation) ? club.token : student.token
        const path = pathWith(operation, { clubId: club.organization_id }, unknownId)
        for (const { refusal, sent } of wrongBodies) {
          const answer = yield* send(operation.method, path, { ...sent, token })
          assert.deepStrictEqual(outcome(answer), refusal, `${operation.name}: ${answer.text}`)
        }
      }
    }))

  it.effect("hears of its resource before its state", () =>
    Effect.gen(function*() {
      const { owner, path, token } = yield* foundClub()
      const demote = (id: string, role: string) => send("PATCH", `${path}/members/${id}`, { token, body: { role } })
      assert.deepStrictEqual(outcome(yield* demote(owner.id, "boss")), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* demote(unknownId, "viewer")), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* demote(owner.id, "viewer")), [409, "last_owner"])
    }))
})

const spent = appLayer({ RATE_LIMIT_WRITES: "1", RATE_LIMIT_CREDENTIALS: "1", RATE_LIMIT_CLASSROOM: "1" })

layer(spent)("a used-up window", (it) => {
  it.effect("is told before body, resource and state, and after session and club", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const params = { clubId: club.organization_id }
      yield* send("PATCH", club.path, { token: club.token, body: {} })
      for (const operation of clubOperations.filter(isWrite).filter(isMembers)) {
        const path = pathWith(operation, params, unknownId)
        for (const sent of [...wrongBodies.map(({ sent }) => sent), { body: sampleBody(operation) ?? {} }]) {
          const answer = yield* send(operation.method, path, { ...sent, token: club.token })
          assert.deepStrictEqual(outcome(answer), [429, "rate_limited"], operation.name)
        }
      }
      // The student's first refusal uses up the address's window. After it, every club answers 429.
      const [first, second] = [
        yield* send("PATCH", club.path, { token: student.token, body: {} }),
        yield* send("PATCH", club.path, { token: student.token, body: {} })
      ]
      assert.deepStrictEqual([outcome(first), outcome(second)], [[401, "unauthenticated"], [429, "rate_limited"]])
    }))

  it.effect("of a student is told before body, resource and state, wherever the path", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      yield* send("PUT", `${club.path}/classroom/lessons/a/completion`, { token })
      yield* send("POST", `${club.path}/community/spaces/${unknownId}/posts`, { token })
      const writes = clubOperations.filter(isWrite).filter(isStudents)
      assert.includeMembers(writes.map(({ path }) => path.replace("/v1/clubs/{clubId}", "")), [
        "/classroom/lessons/{publicId}/completion",
        "/classroom/community/spaces/{spaceId}/posts",
        "/classroom/community/posts/{postId}/comments",
        "/community/spaces/{spaceId}/posts",
        "/community/posts/{postId}/comments"
      ])
      for (const operation of writes) {
        const path = pathWith(operation, { clubId: club.organization_id }, unknownId)
        for (const sent of [...wrongBodies.map(({ sent }) => sent), { body: sampleBody(operation) ?? {} }]) {
          const answer = yield* send(operation.method, path, { ...sent, token })
          assert.deepStrictEqual(outcome(answer), [429, "rate_limited"], operation.name)
        }
      }
    }))

  // Guesses at credentials are capped for every caller, so the cap on a password change comes before its session.
  it.effect("of credentials is told before the session and the body", () =>
    Effect.gen(function*() {
      yield* send("POST", "/v1/auth/admin/sign-in", { body: {} })
      for (const path of ["/v1/auth/admin/sign-in", "/v1/auth/admin/password/change", "/v1/auth/password/change"]) {
        for (const { sent } of wrongBodies) {
          assert.deepStrictEqual(outcome(yield* send("POST", path, sent)), [429, "rate_limited"], path)
        }
      }
    }))
})

layer(appLayer({ RATE_LIMIT_WRITES: "1" }))("a club's used-up window", (it) => {
  it.effect("is no student's in the classroom, and everybody's elsewhere", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      yield* send("PATCH", club.path, { token: club.token, body: {} })
      for (const operation of clubOperations.filter(isWrite).filter(isStudents)) {
        const path = pathWith(operation, { clubId: club.organization_id }, unknownId)
        const answer = yield* send(operation.method, path, { token, body: sampleBody(operation) ?? {} })
        const isOwn = operation.path.startsWith("/v1/clubs/{clubId}/classroom/")
        assert.strictEqual(answer.status === 429, !isOwn, operation.name)
      }
      const refused = yield* send("PATCH", club.path, { token: club.token, body: {} })
      assert.deepStrictEqual(outcome(refused), [429, "rate_limited"])
    }))
})
