import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpApi } from "effect/http-api"
import { randomUUID } from "node:crypto"
import { Api } from "../../src/Api.ts"
import { AllowedRoles } from "../../src/identity/authentication/Authentication.ts"
import { makeKeyToken } from "../../src/identity/keys/KeyToken.ts"
import { Role } from "../../src/identity/people/Role.ts"
import { type Feature, features, KeyFeature } from "../../src/identity/people/Scope.ts"
import { routesOf } from "../../src/platform/http/server/AllowedMethods.ts"
import { AppLayer, enrolledStudent, foundClub, keyOf, send, tokenAs } from "../harness/App.ts"
import { clubOperations, isWrite, type Listed, operations, pathWith, sampleBody } from "../harness/Document.ts"
import { hasTrials } from "../harness/Trials.ts"

// Takes long: it requests every route dozens of times.
// Driven by the contract: the walk finds a new club route without an entry here.

interface Sent {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** The headers that differ from one request to the next for every caller. */
const perRequest = new Set(["x-request-id", "date", "ratelimit", "ratelimit-policy"])

/** The parts of an answer that tell a stranger something. */
const answerTo = Effect.fnUntraced(function*(operation: Listed, club: string, sent: Sent) {
  const path = pathWith(operation, { clubId: club }, randomUUID())
  const { headers, status, text } = yield* send(operation.method, path, sent)
  const kept = Object.entries(headers).filter(([name]) => !perRequest.has(name))
  return { status, text, headers: Object.fromEntries(kept.toSorted(([a], [b]) => a < b ? -1 : 1)) }
})

const clubsOf = (foreign: { readonly id: string; readonly organization_id: string }) => ({
  foreign: foreign.organization_id,
  "foreign in capitals": foreign.organization_id.toUpperCase(),
  "foreign, percent-encoded": foreign.organization_id.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`),
  "foreign by its internal id": foreign.id,
  unknown: randomUUID(),
  "no id": "nope",
  "36 characters that are no id": "zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz",
  "an encoded slash": "a%2Fb",
  "an encoded NUL": "%00",
  "text beyond ASCII": encodeURIComponent("viol\u{e3}o"),
  "a quote": "%27%20or%20true--",
  "a very long one": "a".repeat(8000)
})

const bodiesOf = (operation: Listed): Record<string, Sent> =>
  isWrite(operation)
    ? {
      none: {},
      unreadable: { body: "{" },
      "of the wrong shape": { body: { unknown: [null] } },
      "of the right shape": { body: sampleBody(operation) ?? {} },
      "of the wrong type": { body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
      "with a bad key": { body: {}, headers: { "idempotency-key": "k".repeat(300) } }
    }
    : { none: {} }

/** One of the values in turn, as a list. */
const inTurn = <Value>(values: Record<string, Value>, turn: number): ReadonlyArray<[string, Value]> => {
  const entries = Object.entries(values)
  return entries.slice(turn % entries.length, turn % entries.length + 1)
}

type Kinds = "every" | "in turn"

const everyInTrials: Kinds = hasTrials ? "every" : "in turn"

/**
 * Asserts that the caller gets one answer for each status on all club routes. A 401 names the session that the route
 * wants, so each kind of route has its own. With `every`, each route gets every kind of club and body. Otherwise it gets
 * the foreign club, an unknown one, and one more kind of each in turn, so each kind occurs dozens of times.
 */
const walk = Effect.fnUntraced(function*(
  foreign: Parameters<typeof clubsOf>[0],
  token: string | undefined,
  expectedStatus: (operation: Listed) => number,
  kinds: Kinds = "in turn"
) {
  const seen = new Map<string, object>()
  const identity = token === undefined ? {} : { token }
  const check = Effect.fnUntraced(function*(operation: Listed, club: string, sent: Sent, title: string) {
    const answer = yield* answerTo(operation, club, { ...sent, ...identity })
    const name = `${operation.name}, ${title}: ${answer.text}`
    assert.strictEqual(answer.status, expectedStatus(operation), name)
    const kind = answer.status === 401 ? `401 ${operation.schemes.join(" ")}` : String(answer.status)
    const first = seen.get(kind)
    if (first === undefined) seen.set(kind, answer)
    else assert.deepStrictEqual<object>(answer, first, name)
  })
  const everything = Effect.fnUntraced(function*(operation: Listed, turn: number) {
    const { foreign: own, unknown, ...others } = clubsOf(foreign)
    const bodies = bodiesOf(operation)
    const clubs = kinds === "every" ? Object.entries(others) : inTurn(others, turn)
    for (const [kind, club] of [["foreign", own], ["unknown", unknown], ...clubs] as const) {
      yield* check(operation, club, {}, kind)
    }
    for (const [kind, sent] of kinds === "every" ? Object.entries(bodies) : inTurn(bodies, turn)) {
      yield* check(operation, own, sent, kind)
      yield* check(operation, "nope", sent, kind)
    }
  })
  yield* Effect.forEach(clubOperations, everything, { concurrency: 8, discard: true })
  return seen
})

const takes = (scheme: string) => ({ schemes }: Listed) => schemes.includes(scheme)

describe("the contract's club routes", () => {
  it("are all in its description, and each names who may call it", () => {
    const declared = routesOf(Api).map(({ method, path }) => `${method} ${path}`.replace(/:(\w+)/g, "{$1}"))
    assert.sameMembers(operations.map(({ name }) => name), declared.map((name) => name.replace(/(.)\/$/, "$1")))
    assert.isAtLeast(clubOperations.length, 19)
    assert.deepStrictEqual(clubOperations.filter(({ schemes }) => schemes.length === 0).map(({ name }) => name), [])
  })
})

layer(AppLayer)("club isolation", (it) => {
  it.effect("answers 401 without a session, whatever the club and the body", () =>
    Effect.gen(function*() {
      const foreign = yield* foundClub()
      yield* walk(foreign, undefined, () => 401, everyInTrials)
      yield* walk(foreign, "unknown", () => 401)
    }))

  it.effect(
    "tells a stranger's administrator nothing about a club, not even whether it is one",
    () =>
      Effect.gen(function*() {
        const foreign = yield* foundClub()
        const { token } = yield* foundClub()
        const seen = yield* walk(foreign, token, (operation) =>
          takes("userSession")(operation) ? 403 : 401, everyInTrials)
        assert.isTrue(seen.has("403"))
      })
  )

  it.effect("tells another club's key nothing about a club, not even whether it is one", () =>
    Effect.gen(function*() {
      const foreign = yield* foundClub()
      const { token } = yield* keyOf(yield* foundClub())
      const seen = yield* walk(foreign, token, (operation) => takes("clubKey")(operation) ? 403 : 401)
      assert.isTrue(seen.has("403") && seen.has("401 userSession"))
    }))

  it.effect("answers a key that there is not, was revoked or is of the wrong network alike, with 401", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [ended, elsewhere] = [yield* keyOf(club), yield* keyOf(club, { allowed_networks: ["203.0.113.0/24"] })]
      yield* send("DELETE", `${club.path}/keys/${ended.id}`, { token: club.token })
      const unknown = Redacted.value((yield* makeKeyToken).token)
      const answers = yield* Effect.forEach(
        [ended.token, elsewhere.token, unknown],
        (token) => walk(club, token, () => 401)
      )
      const [first, ...others] = answers.map((seen) => [...seen].toSorted(([a], [b]) => a < b ? -1 : 1))
      for (const other of others) assert.deepStrictEqual(other, first)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))

  it.effect("tells another club's student nothing about a club", () =>
    Effect.gen(function*() {
      const foreign = yield* foundClub()
      const { token } = yield* enrolledStudent(yield* foundClub())
      const seen = yield* walk(foreign, token, (operation) => takes("studentSession")(operation) ? 403 : 401)
      assert.isTrue(seen.has("403") && seen.has("401 userSession"))
    }))

  it.effect("does not know a club by its internal id, not even for its owner", () =>
    Effect.gen(function*() {
      const { id, path, token } = yield* foundClub()
      for (const operation of clubOperations.filter(takes("userSession"))) {
        assert.strictEqual((yield* answerTo(operation, id, { token })).status, 403, operation.name)
      }
      const key = yield* keyOf({ path, token })
      for (const operation of clubOperations.filter(takes("clubKey"))) {
        assert.strictEqual((yield* answerTo(operation, id, key)).status, 403, operation.name)
      }
    }))

  it.effect("ends a member's right to act with the membership", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const token = yield* tokenAs(club, "admin")
      const me = Object((yield* send("GET", "/v1/me", { token })).json)
      assert.strictEqual((yield* send("GET", club.path, { token })).status, 200)
      yield* send("DELETE", `${club.path}/members/${me.data.id}`, { token: club.token })
      for (const operation of clubOperations.filter(takes("userSession"))) {
        assert.strictEqual((yield* answerTo(operation, club.organization_id, { token })).status, 403, operation.name)
      }
    }))
})

/** The roles that may call each club route by the contract. */
const rolesByRoute = new Map<string, ReadonlyArray<Role>>()
/** The area of each club route that takes keys. */
const areaByRoute = new Map<string, Feature>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    const everybody = endpoint.method === "GET" ? Role.literals : Role.literals.filter((role) => role !== "viewer")
    const name = `${endpoint.method} ${endpoint.path}`.replace(/:(\w+)/g, "{$1}").replace(/(.)\/$/, "$1")
    const area = Context.get(group.annotations, KeyFeature)
    if (area !== undefined) areaByRoute.set(name, area)
    rolesByRoute.set(name, Context.get(endpoint.annotations, AllowedRoles) ?? everybody)
  }
})

/** The roles that an operation wants, in the words of its refusal. */
const rolesWanted = ({ name }: Listed) => {
  const roles = rolesByRoute.get(name) ?? []
  return `the operation wants the role ${roles.join(", ").replace(/, (\w+)$/, " or $1")}, and `
}

/** The scope that an operation wants, in the words of its refusal. */
const scopeWanted = (operation: Listed) =>
  `the operation wants the scope ${areaByRoute.get(operation.name)}:${isWrite(operation) ? "write" : "read"}, `

layer(AppLayer)("roles", (it) => {
  const ofMembers = clubOperations.filter(takes("userSession"))

  it.effect("let a viewer write nothing", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const token = yield* tokenAs(club, "viewer")
      for (const operation of ofMembers.filter(isWrite)) {
        for (const sent of Object.values(bodiesOf(operation))) {
          const { status, text } = yield* answerTo(operation, club.organization_id, { ...sent, token })
          assert.strictEqual(status, 403, `${operation.name}: ${text}`)
        }
      }
    }))

  it.effect.each(Role.literals)(
    "let the %s call what the contract gives that role, and nothing else, and name the roles that the rest wants",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const token = yield* tokenAs(club, role)
        const refused: Array<string> = []
        for (const operation of ofMembers) {
          const { status, text } = yield* answerTo(operation, club.organization_id, { token })
          assert.notStrictEqual(status, 401, operation.name)
          if (status !== 403) continue
          refused.push(operation.name)
          assert.include(text, `${rolesWanted(operation)}yours is ${role}`, operation.name)
        }
        const expected = ofMembers.filter(({ name }) => !rolesByRoute.get(name)?.includes(role))
        assert.deepStrictEqual(refused, expected.map(({ name }) => name))
        if (role === "owner") assert.deepStrictEqual(refused, [])
      })
  )
})

layer(AppLayer)("keys", (it) => {
  const ofKeys = clubOperations.filter(takes("clubKey"))
  const inPerson = clubOperations.filter((operation) => takes("userSession")(operation) && !takes("clubKey")(operation))

  const refusedTo = Effect.fnUntraced(function*(
    club: Effect.Success<ReturnType<typeof foundClub>>,
    token: string,
    wanted: (operation: Listed) => string,
    among: ReadonlyArray<Listed> = ofKeys
  ) {
    const refused: Array<string> = []
    for (const operation of among) {
      const { status, text } = yield* answerTo(operation, club.organization_id, { token })
      assert.notStrictEqual(status, 401, `${operation.name}: ${text}`)
      if (status !== 403) continue
      refused.push(operation.name)
      assert.include(text, wanted(operation), operation.name)
    }
    return refused
  })

  it.effect.each(Role.literals.filter((role) => role !== "owner"))(
    "with the role %s call what the contract gives that role, and nothing else, and hear of the roles that the rest wants",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const { token } = yield* keyOf(club, { role })
        const expected = ofKeys.filter(({ name }) => !rolesByRoute.get(name)?.includes(role))
        const wanted = (operation: Listed) => `${rolesWanted(operation)}the key acts as ${role}`
        assert.deepStrictEqual(yield* refusedTo(club, token, wanted), expected.map(({ name }) => name))
        for (const operation of inPerson) {
          const { status, text } = yield* answerTo(operation, club.organization_id, { token })
          assert.strictEqual(status, 401, `${operation.name}: ${text}`)
        }
      })
  )

  it.effect.each(features)(
    "with scopes of %s call what is in that area, write only where one says so, and hear of the scope that the rest wants",
    (area) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const inside = ofKeys.filter(({ name }) => areaByRoute.get(name) === area)
        const names = (operations: ReadonlyArray<Listed>) => operations.map(({ name }) => name)
        const refused = Effect.fnUntraced(function*(scopes: ReadonlyArray<string>, among: ReadonlyArray<Listed>) {
          const { token } = yield* keyOf(club, { role: undefined, scopes })
          return yield* refusedTo(club, token, scopeWanted, among)
        })
        assert.deepStrictEqual(yield* refused([`${area}:write`], inside), [])
        assert.deepStrictEqual(yield* refused([`${area}:read`], inside), names(inside.filter(isWrite)))
        // Even all other areas together do not open this one, so no area opens another.
        const others = features.filter((feature) => feature !== area).map((feature) => `${feature}:write`)
        assert.deepStrictEqual(yield* refused(others, inside), names(inside))
      })
  )

  it("have an area for every route that takes them", () => {
    assert.deepStrictEqual(ofKeys.filter(({ name }) => !areaByRoute.has(name)), [])
    assert.sameMembers([...features], [...new Set(areaByRoute.values())])
  })

  it.effect("of a club leave another club's as it is, whatever they send", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const { token } = yield* keyOf(club)
      for (const operation of ofKeys.filter(isWrite)) {
        for (const sent of Object.values(bodiesOf(operation))) {
          const { status, text } = yield* answerTo(operation, other.organization_id, { ...sent, token })
          assert.strictEqual(status, 403, `${operation.name}: ${text}`)
        }
      }
    }))
})
