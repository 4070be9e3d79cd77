import { DateTime, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema
} from "effect/http-api"
import { ClubId, OrganizationId } from "../../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { UserId } from "../../../src/identity/ids/UserId.ts"
import {
  ClubWrites,
  CredentialPosts,
  IpWrites,
  PersonWrites,
  PlatformHooks,
  RateLimited,
  StudentWrites
} from "../../../src/identity/limits/RateLimit.ts"
import { RateLimitsLayer } from "../../../src/identity/limits/RateLimitsLayer.ts"
import { WriteCounters } from "../../../src/identity/limits/WriteCounters.ts"
import {
  CurrentMember,
  CurrentPerson,
  CurrentStudent,
  type MemberIdentity,
  type SessionClub,
  type StudentIdentity
} from "../../../src/identity/people/Identity.ts"
import { type Session, SessionId } from "../../../src/identity/people/Session.ts"
import { ApiError } from "../../../src/platform/http/ApiError.ts"

class Stranger extends ApiError<Stranger>()("Stranger", {
  status: 401,
  code: "unauthenticated",
  message: { en: "Who?", "pt-BR": "Quem?" }
}) {}

/** Stands in for sessions: `x-club` and `x-student` name the caller. Without them there is no caller. */
class AsMember extends HttpApiMiddleware.Service<AsMember, { provides: CurrentMember }>()("test/AsMember", {
  error: [Stranger, RateLimited]
}) {}
class AsStudent extends HttpApiMiddleware.Service<AsStudent, { provides: CurrentStudent }>()("test/AsStudent", {
  error: [Stranger, RateLimited]
}) {}
class AsPerson extends HttpApiMiddleware.Service<AsPerson, { provides: CurrentPerson }>()("test/AsPerson", {
  error: [Stranger, RateLimited]
}) {}

const id = "018f0000-0000-7000-8000-000000000001"
const instant = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const sessionOf = (kind: "admin" | "student"): Session => ({
  id: SessionId.make(id),
  kind,
  created_at: instant,
  last_seen_at: instant,
  expires_at: instant,
  current: true
})
const person = { name: "Ann", email: "ann@example.com", verified: true }
const clubOf = (id: string): SessionClub => ({
  id: ClubId.make(id),
  organization_id: OrganizationId.make(id),
  name: "Club",
  locale: "en",
  time_zone: "UTC",
  day_zone: "UTC"
})
const memberOf = (club: string): MemberIdentity => ({
  _tag: "Member",
  credential: { kind: "session", session: sessionOf("admin") },
  user: { ...person, id: UserId.make(id) },
  club: clubOf(club),
  role: "owner"
})
const studentOf = (student: string, club = id): StudentIdentity => ({
  _tag: "Student",
  session: sessionOf("student"),
  student: { ...person, id: StudentId.make(student) },
  club: clubOf(club)
})

const header = (name: string) => Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers[name])

const identify = Effect.gen(function*() {
  const counters = yield* WriteCounters
  const member = Effect.gen(function*() {
    const club = yield* header("x-club")
    if (club !== undefined) return memberOf(club)
    yield* counters.failedCredential
    return yield* new Stranger()
  })
  const student = Effect.gen(function*() {
    const id = yield* header("x-student")
    if (id !== undefined) return studentOf(id, yield* header("x-club"))
    yield* counters.failedCredential
    return yield* new Stranger()
  })
  const either = Effect.gen(function*() {
    return (yield* header("x-student")) === undefined ? yield* member : yield* student
  })
  return { either, member, student }
})

const IdentityLayer = Layer.mergeAll(
  Layer.effect(
    AsMember,
    Effect.map(
      identify,
      ({ member }) =>
        AsMember.of((http) => Effect.flatMap(member, (member) => Effect.provideService(http, CurrentMember, member)))
    )
  ),
  Layer.effect(
    AsStudent,
    Effect.map(
      identify,
      ({ student }) =>
        AsStudent.of((http) => Effect.flatMap(student, (one) => Effect.provideService(http, CurrentStudent, one)))
    )
  ),
  Layer.effect(
    AsPerson,
    Effect.map(
      identify,
      ({ either }) =>
        AsPerson.of((http) => Effect.flatMap(either, (person) => Effect.provideService(http, CurrentPerson, person)))
    )
  )
)

const success = HttpApiSchema.NoContent
const read = (path: `/${string}`) => HttpApiEndpoint.get("read", path, { success })
const write = (path: `/${string}`) => HttpApiEndpoint.post("write", path, { success })
const end = (path: `/${string}`) => HttpApiEndpoint.delete("end", path, { success })

/** One path for each policy, with a read, a write and a DELETE. */
const Api = HttpApi.make("limited").add(
  HttpApiGroup.make("auth").add(read("/auth"), write("/auth"), end("/auth")).middleware(CredentialPosts),
  HttpApiGroup.make("account").add(read("/account"), write("/account"), end("/account")).middleware(IpWrites),
  HttpApiGroup.make("hooks").add(read("/hooks"), write("/hooks"), end("/hooks")).middleware(PlatformHooks),
  HttpApiGroup.make("club").add(read("/club"), write("/club"), end("/club")).middleware(ClubWrites)
    .middleware(AsMember),
  HttpApiGroup.make("classroom").add(read("/classroom"), write("/classroom"), end("/classroom"))
    .middleware(StudentWrites).middleware(AsStudent),
  HttpApiGroup.make("community").add(read("/community"), write("/community"), end("/community"))
    .middleware(PersonWrites).middleware(AsPerson)
)

const done = { read: () => Effect.void, write: () => Effect.void, end: () => Effect.void }

/** The routes with the real middleware. It still needs the counters. */
export const RoutesLayer = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    HttpApiBuilder.group(Api, "auth", (handlers) => handlers.handleAll(done)),
    HttpApiBuilder.group(Api, "account", (handlers) => handlers.handleAll(done)),
    HttpApiBuilder.group(Api, "hooks", (handlers) => handlers.handleAll(done)),
    HttpApiBuilder.group(Api, "club", (handlers) => handlers.handleAll(done)),
    HttpApiBuilder.group(Api, "classroom", (handlers) => handlers.handleAll(done)),
    HttpApiBuilder.group(Api, "community", (handlers) => handlers.handleAll(done))
  ]),
  Layer.provide([RateLimitsLayer, IdentityLayer])
)
