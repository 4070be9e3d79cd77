import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { HttpRouter, HttpServerRespondable, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { unhandled } from "effect/Types"
import { RequestOwner } from "../../platform/http/request/RequestOwner.ts"
import { type Caller, nameCaller } from "../../platform/http/server/RequestLog.ts"
import { type Actor, Deeds } from "../audit/Deeds.ts"
import { CredentialPosts } from "../limits/RateLimit.ts"
import { WriteCounters } from "../limits/WriteCounters.ts"
import {
  CurrentAccount,
  CurrentMember,
  CurrentPerson,
  CurrentStudent,
  CurrentUser,
  type MemberIdentity,
  type StudentIdentity
} from "../people/Identity.ts"
import { onBehalfOf } from "../people/onBehalfOf.ts"
import type { Role } from "../people/Role.ts"
import type { Session } from "../people/Session.ts"
import type { UserWithMembership } from "../sessions/SessionRow.ts"
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
  UserSession
} from "./Authentication.ts"
import { unauthenticated, type Wanted } from "./Challenge.ts"

// Ids are compared as text, and a UUID in capitals is the same.
const pathClub = Effect.map(HttpRouter.params, (params) => params["clubId"]?.toLowerCase() ?? "")

interface PresentedCredential {
  readonly credential: Redacted.Redacted
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** An endpoint without `AllowedRoles` lets every member read and only the administration write. */
const mayCall = (role: Role, endpoint: HttpApiEndpoint.Top) => {
  const allowed = Context.get(endpoint.annotations, AllowedRoles)
  return allowed === undefined ? endpoint.method === "GET" || administration.includes(role) : allowed.includes(role)
}

const memberOf = (identity: UserWithMembership, endpoint: HttpApiEndpoint.Top): Option.Option<MemberIdentity> =>
  identity.membership.pipe(
    Option.filter(({ role }) => mayCall(role, endpoint)),
    Option.map(({ club, role }) => ({ _tag: "Member", session: identity.session, user: identity.user, club, role }))
  )

const actorOf = ({ club, user }: Pick<MemberIdentity, "club" | "user">): Actor => ({
  club_id: club.id,
  user_id: user.id,
  key_id: null
})

const callerOf = (identity: UserWithMembership | StudentIdentity): Caller => {
  if (identity._tag === "Student") {
    const { club: { organization_id }, student } = identity
    return { session_kind: "student", account_id: student.id, organization_id }
  }
  const caller = { session_kind: "admin", account_id: identity.user.id } as const
  const { membership } = identity
  return Option.isNone(membership) ? caller : { ...caller, organization_id: membership.value.club.organization_id }
}

const accountOf = (identity: UserWithMembership | StudentIdentity): CurrentAccount["Service"] =>
  identity._tag === "User"
    ? {
      session: identity.session,
      holder: { kind: "admin", user_id: identity.user.id },
      account: identity.user,
      club_id: null
    }
    : {
      session: identity.session,
      holder: { kind: "student", club_id: identity.club.id, student_id: identity.student.id },
      account: identity.student,
      club_id: identity.club.organization_id
    }

/**
 * Checks the session, then the right in the club, in the contract's order (401, 403). Every refused write counts
 * against its IP address.
 */
const makeSessionChecks = Effect.gen(function*() {
  const sessions = yield* SessionStore
  const counters = yield* WriteCounters
  const deeds = yield* Deeds

  // Endpoints with `CredentialPosts` have counted the request already.
  const counted = ({ endpoint }: PresentedCredential) =>
    endpoint.middlewares.has(CredentialPosts) ? Effect.void : counters.failedCredential

  const refuse = <E>(presented: PresentedCredential, error: E) => Effect.andThen(counted(presented), Effect.fail(error))

  // What a member may not write is written down, once it is counted: so often a minute at most.
  const forbid = Effect.fnUntraced(
    function*(presented: PresentedCredential, identity: UserWithMembership | StudentIdentity) {
      yield* counted(presented)
      if (identity._tag === "User" && Option.isSome(identity.membership) && presented.endpoint.method !== "GET") {
        yield* deeds.refused(actorOf({ user: identity.user, club: identity.membership.value.club }), presented)
      }
      return yield* new Forbidden()
    }
  )

  const refuseSession = (presented: PresentedCredential, wanted: Wanted, found?: Session["kind"]) =>
    Effect.flatMap(unauthenticated(wanted, presented.credential, found), (error) => refuse(presented, error))

  const identify = Effect.fnUntraced(
    function*(presented: PresentedCredential, wanted: Wanted, club: Option.Option<string>) {
      const identity = yield* sessions.find(presented.credential, club)
      if (Option.isNone(identity)) return yield* refuseSession(presented, wanted)
      yield* nameCaller(callerOf(identity.value))
      return identity.value
    }
  )

  const user = Effect.fnUntraced(function*(presented: PresentedCredential, club: Option.Option<string>) {
    const identity = yield* identify(presented, "admin", club)
    return identity._tag === "User" ? identity : yield* refuseSession(presented, "admin", "student")
  })

  const student = Effect.fnUntraced(function*(presented: PresentedCredential) {
    const identity = yield* identify(presented, "student", Option.none())
    return identity._tag === "Student" ? identity : yield* refuseSession(presented, "student", "admin")
  })

  const clubMember = Effect.fnUntraced(function*(presented: PresentedCredential) {
    const identity = yield* user(presented, Option.some(yield* pathClub))
    const member = memberOf(identity, presented.endpoint)
    return Option.isSome(member) ? member.value : yield* forbid(presented, identity)
  })

  const clubStudent = Effect.fnUntraced(function*(presented: PresentedCredential) {
    const identity = yield* student(presented)
    return identity.club.organization_id === (yield* pathClub) ? identity : yield* refuse(presented, new Forbidden())
  })

  const clubPerson = Effect.fnUntraced(function*(presented: PresentedCredential) {
    const club = yield* pathClub
    const identity = yield* identify(presented, "either", Option.some(club))
    const person: Option.Option<MemberIdentity | StudentIdentity> = identity._tag === "User"
      ? memberOf(identity, presented.endpoint)
      : Option.liftPredicate(identity, ({ club: own }) => own.organization_id === club)
    return Option.isSome(person) ? person.value : yield* forbid(presented, identity)
  })

  const account = (presented: PresentedCredential) =>
    Effect.map(identify(presented, "either", Option.none()), accountOf)

  return { account, clubMember, clubPerson, clubStudent, student, user }
})

type HttpEffect<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled, R>

/** Runs the handler as this identity and on its behalf; its session also owns the request's `Idempotency-Key`. */
const proceedAs =
  <Id, Identity extends Parameters<typeof onBehalfOf>[0]>(key: Context.Key<Id, Identity>, httpEffect: HttpEffect<Id>) =>
  (identity: Identity) =>
    Effect.updateContext(httpEffect, (context: Context.Context<never>) =>
      context.pipe(
        Context.add(key, identity),
        onBehalfOf(identity),
        Context.add(RequestOwner, Option.some<string>(identity.session.id))
      ))

/**
 * For routes that declare both schemes. After a failure the builder would try the next scheme and answer with its
 * failure. The first scheme looks in both tables at once, so it answers for both.
 */
const proceedOrAnswer = <A, E extends HttpServerRespondable.Respondable, R1, R2>(
  check: Effect.Effect<A, E, R1>,
  proceed: (identity: A) => HttpEffect<R2>
) => Effect.matchEffect(check, { onFailure: HttpServerRespondable.toResponse, onSuccess: proceed })

/** The six middlewares of the two session schemes. */
export const AuthenticationLayer = Layer.unwrap(Effect.map(Effect.all([makeSessionChecks, Deeds]), ([check, deeds]) => {
  /** What a member writes is written down; what students do is not, and what only reads. */
  const recorded = <Identity extends MemberIdentity | StudentIdentity, R>(
    presented: PresentedCredential,
    proceed: (identity: Identity) => HttpEffect<R>
  ) =>
  (identity: Identity) =>
    identity._tag === "Student" || presented.endpoint.method === "GET"
      ? proceed(identity)
      : deeds.record(actorOf(identity), presented, proceed(identity))
  const anySession = (httpEffect: HttpEffect<CurrentAccount>, presented: PresentedCredential) =>
    proceedOrAnswer(check.account(presented), proceedAs(CurrentAccount, httpEffect))
  const clubPerson = (httpEffect: HttpEffect<CurrentPerson>, presented: PresentedCredential) =>
    proceedOrAnswer(check.clubPerson(presented), recorded(presented, proceedAs(CurrentPerson, httpEffect)))
  return Layer.mergeAll(
    Layer.succeed(UserSession, {
      userSession: (httpEffect, presented) =>
        Effect.flatMap(check.user(presented, Option.none()), proceedAs(CurrentUser, httpEffect))
    }),
    Layer.succeed(StudentSession, {
      studentSession: (httpEffect, presented) =>
        Effect.flatMap(check.student(presented), proceedAs(CurrentStudent, httpEffect))
    }),
    Layer.succeed(AnySession, { userSession: anySession, studentSession: anySession }),
    Layer.succeed(ClubMember, {
      userSession: (httpEffect, presented) =>
        Effect.flatMap(check.clubMember(presented), recorded(presented, proceedAs(CurrentMember, httpEffect)))
    }),
    Layer.succeed(ClubStudent, {
      studentSession: (httpEffect, presented) =>
        Effect.flatMap(check.clubStudent(presented), proceedAs(CurrentStudent, httpEffect))
    }),
    Layer.succeed(ClubPerson, { userSession: clubPerson, studentSession: clubPerson })
  )
})).pipe(Layer.provide(Deeds.layer))
