import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { HttpRouter, HttpServerRespondable, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { unhandled } from "effect/Types"
import { RequestOwner } from "../../platform/http/RequestOwner.ts"
import { CredentialPosts } from "../limits/RateLimit.ts"
import { WriteCounters } from "../limits/WriteCounters.ts"
import { onBehalf } from "../people/Behalf.ts"
import {
  CurrentAccount,
  CurrentMember,
  CurrentPerson,
  CurrentStudent,
  CurrentUser,
  type MemberIdentity,
  type StudentIdentity
} from "../people/Identity.ts"
import type { Role } from "../people/Role.ts"
import type { UserFound } from "../sessions/FoundSession.ts"
import { SessionStore } from "../sessions/SessionStore.ts"
import {
  administration,
  AllowedRoles,
  AnySession,
  ClubMember,
  ClubPerson,
  ClubStudent,
  Forbidden,
  StudentSession,
  Unauthenticated,
  UserSession
} from "./Authentication.ts"

// Ids are compared as text, and a UUID in capitals is the same.
const pathClub = Effect.map(HttpRouter.params, (params) => params["clubId"]?.toLowerCase() ?? "")

interface Presented {
  readonly credential: Redacted.Redacted
  readonly endpoint: HttpApiEndpoint.Top
}

/** Where the endpoint does not say: everybody reads, and a write that was forgotten is the administration's alone. */
const mayCall = (role: Role, endpoint: HttpApiEndpoint.Top) => {
  const allowed = Context.get(endpoint.annotations, AllowedRoles)
  return allowed === undefined ? endpoint.method === "GET" || administration.includes(role) : allowed.includes(role)
}

const memberOf = (found: UserFound, endpoint: HttpApiEndpoint.Top): Option.Option<MemberIdentity> =>
  found.membership.pipe(
    Option.filter(({ role }) => mayCall(role, endpoint)),
    Option.map(({ club, role }) => ({ _tag: "Member", session: found.session, user: found.user, club, role }))
  )

const accountOf = (found: UserFound | StudentIdentity): CurrentAccount["Service"] =>
  found._tag === "User"
    ? {
      session: found.session,
      holder: { kind: "admin", user_id: found.user.id },
      account: found.user,
      club_id: null
    }
    : {
      session: found.session,
      holder: { kind: "student", club_id: found.club.id, student_id: found.student.id },
      account: found.student,
      club_id: found.club.organization_id
    }

/** Session, then club right, in the contract's order (401, 403). Every refused write counts against its address. */
const makeAdmission = Effect.gen(function*() {
  const sessions = yield* SessionStore
  const counters = yield* WriteCounters

  // Where every POST counts as a credential, this one has been charged already.
  const turnAway = <E>({ endpoint }: Presented, error: E) =>
    Effect.andThen(
      endpoint.middlewares.has(CredentialPosts) ? Effect.void : counters.failedCredential,
      Effect.fail(error)
    )

  const identify = Effect.fnUntraced(function*(presented: Presented, club: Option.Option<string>) {
    const found = yield* sessions.find(presented.credential, club)
    return Option.isSome(found) ? found.value : yield* turnAway(presented, new Unauthenticated())
  })

  const user = Effect.fnUntraced(function*(presented: Presented) {
    const found = yield* identify(presented, Option.none())
    return found._tag === "User" ? found : yield* turnAway(presented, new Unauthenticated())
  })

  const student = Effect.fnUntraced(function*(presented: Presented) {
    const found = yield* identify(presented, Option.none())
    return found._tag === "Student" ? found : yield* turnAway(presented, new Unauthenticated())
  })

  const clubMember = Effect.fnUntraced(function*(presented: Presented) {
    const found = yield* identify(presented, Option.some(yield* pathClub))
    if (found._tag !== "User") return yield* turnAway(presented, new Unauthenticated())
    const member = memberOf(found, presented.endpoint)
    return Option.isSome(member) ? member.value : yield* turnAway(presented, new Forbidden())
  })

  const clubStudent = Effect.fnUntraced(function*(presented: Presented) {
    const found = yield* student(presented)
    return found.club.organization_id === (yield* pathClub) ? found : yield* turnAway(presented, new Forbidden())
  })

  const clubPerson = Effect.fnUntraced(function*(presented: Presented) {
    const club = yield* pathClub
    const found = yield* identify(presented, Option.some(club))
    const person: Option.Option<MemberIdentity | StudentIdentity> = found._tag === "User"
      ? memberOf(found, presented.endpoint)
      : Option.liftPredicate(found, ({ club: own }) => own.organization_id === club)
    return Option.isSome(person) ? person.value : yield* turnAway(presented, new Forbidden())
  })

  const account = (presented: Presented) => Effect.map(identify(presented, Option.none()), accountOf)

  return { account, clubMember, clubPerson, clubStudent, student, user }
})

type HttpEffect<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled, R>

/** Goes on as this identity and on its behalf; its session also owns the request's `Idempotency-Key`. */
const as =
  <Id, Identity extends Parameters<typeof onBehalf>[0]>(key: Context.Key<Id, Identity>, httpEffect: HttpEffect<Id>) =>
  (identity: Identity) =>
    httpEffect.pipe(
      onBehalf(identity),
      Effect.provideService(key, identity),
      Effect.provideService(RequestOwner, Option.some<string>(identity.session.id))
    )

/**
 * For routes that declare both schemes. After a failure the builder would try
 * the next scheme and answer with its failure, so the first, which looks in both
 * tables at once, answers for both.
 */
const settled = <A, E extends HttpServerRespondable.Respondable, R1, R2>(
  admission: Effect.Effect<A, E, R1>,
  proceed: (admitted: A) => HttpEffect<R2>
) => Effect.matchEffect(admission, { onFailure: HttpServerRespondable.toResponse, onSuccess: proceed })

/** The six middlewares of the two session schemes. */
export const AuthenticationLayer = Layer.unwrap(Effect.map(makeAdmission, (admit) => {
  const anySession = (httpEffect: HttpEffect<CurrentAccount>, presented: Presented) =>
    settled(admit.account(presented), as(CurrentAccount, httpEffect))
  const clubPerson = (httpEffect: HttpEffect<CurrentPerson>, presented: Presented) =>
    settled(admit.clubPerson(presented), as(CurrentPerson, httpEffect))
  return Layer.mergeAll(
    Layer.succeed(UserSession, {
      userSession: (httpEffect, presented) => Effect.flatMap(admit.user(presented), as(CurrentUser, httpEffect))
    }),
    Layer.succeed(StudentSession, {
      studentSession: (httpEffect, presented) =>
        Effect.flatMap(admit.student(presented), as(CurrentStudent, httpEffect))
    }),
    Layer.succeed(AnySession, { userSession: anySession, studentSession: anySession }),
    Layer.succeed(ClubMember, {
      userSession: (httpEffect, presented) => Effect.flatMap(admit.clubMember(presented), as(CurrentMember, httpEffect))
    }),
    Layer.succeed(ClubStudent, {
      studentSession: (httpEffect, presented) =>
        Effect.flatMap(admit.clubStudent(presented), as(CurrentStudent, httpEffect))
    }),
    Layer.succeed(ClubPerson, { userSession: clubPerson, studentSession: clubPerson })
  )
}))
