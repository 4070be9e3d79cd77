import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { HttpRouter, HttpServerRespondable, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { unhandled } from "effect/Types"
import { RequestOwner } from "../../platform/http/request/RequestOwner.ts"
import { type Caller, nameCaller } from "../../platform/http/server/RequestLog.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { type Actor, AuditRecorder, operationOf } from "../audit/AuditRecorder.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { isKeyToken } from "../keys/KeyToken.ts"
import { ClientAddress } from "../limits/ClientAddress.ts"
import { CredentialPosts } from "../limits/RateLimit.ts"
import { WriteCounters } from "../limits/WriteCounters.ts"
import { Founders } from "../people/Founders.ts"
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
import { answersPersonalData } from "../people/PersonalData.ts"
import type { Session } from "../people/Session.ts"
import type { UserWithMembership } from "../sessions/SessionRow.ts"
import { SessionStore } from "../sessions/SessionStore.ts"
import {
  AnySession,
  ClubKeyHolder,
  ClubMember,
  ClubMemberInPerson,
  ClubPerson,
  ClubStudent,
  Forbidden,
  StudentSession,
  UserSession
} from "./Authentication.ts"
import { type Found, unauthenticated, type Wanted } from "./Challenge.ts"
import { forbiddenTo, foreignKey, mayCall, mayKeyCall } from "./OperationRight.ts"

// Ids are compared as text, and a UUID in capitals is the same.
const pathClub = Effect.map(HttpRouter.params, (params) => params["clubId"]?.toLowerCase() ?? "")

interface PresentedCredential {
  readonly credential: Redacted.Redacted
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

const memberOf = ({ membership, session, user }: UserWithMembership): Option.Option<MemberIdentity> =>
  Option.map(membership, ({ club, role }) => ({
    _tag: "Member",
    credential: { kind: "session", session },
    user,
    club,
    role
  }))

const actorOf = ({ club, credential, user }: MemberIdentity): Actor => ({
  club_id: club.id,
  user_id: user.id,
  key_id: credential.kind === "key" ? credential.key.id : null
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

const callerWith = ({ club, credential, user }: MemberIdentity): Caller => ({
  session_kind: "admin",
  account_id: user.id,
  organization_id: club.organization_id,
  ...(credential.kind === "key" ? { key_id: credential.key.id } : {})
})

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
  const keys = yield* KeyStore
  const counters = yield* WriteCounters
  const clientAddress = yield* ClientAddress
  const auditRecorder = yield* AuditRecorder
  const auditLog = yield* AuditLog

  // Endpoints with `CredentialPosts` have counted the request already.
  const counted = ({ endpoint }: PresentedCredential) =>
    endpoint.middlewares.has(CredentialPosts) ? Effect.void : counters.failedCredential

  const refuse = <E>(presented: PresentedCredential, error: E) => Effect.andThen(counted(presented), Effect.fail(error))

  // A forbidden write of a member or a key is logged, once it is counted: so often a minute at most. Only they learn
  // the right that the operation wants. Everybody else gets the same answer, with and without such a club.
  const forbid = Effect.fnUntraced(function*(
    presented: PresentedCredential,
    member: Option.Option<MemberIdentity>,
    foreign: Forbidden = new Forbidden()
  ) {
    yield* counted(presented)
    if (Option.isNone(member)) return yield* foreign
    if (presented.endpoint.method !== "GET") yield* auditRecorder.refused(actorOf(member.value), presented)
    return yield* forbiddenTo(member.value, presented)
  })

  const refuseSession = (presented: PresentedCredential, wanted: Wanted, found?: Found) =>
    Effect.flatMap(unauthenticated(wanted, presented.credential, found), (error) => refuse(presented, error))

  const key = Effect.fnUntraced(function*(presented: PresentedCredential, wanted: Wanted) {
    const found = yield* keys.find(presented.credential, yield* clientAddress.address)
    if (Option.isNone(found)) return yield* refuseSession(presented, wanted)
    yield* nameCaller(callerWith(found.value))
    return found.value
  })

  /** Keys' reads of personal data have a count for each hour, not an entry each. */
  const countRead = ({ club, credential }: MemberIdentity, asked: PresentedCredential) =>
    credential.kind === "key" && asked.endpoint.method === "GET" && answersPersonalData(asked.endpoint)
      ? auditLog.countRead(club.id, credential.key.id, operationOf(asked))
      : Effect.void

  const keyOfClub = Effect.fnUntraced(function*(presented: PresentedCredential, wanted: Wanted) {
    const member = yield* key(presented, wanted)
    const isOfClub = member.club.organization_id === (yield* pathClub)
    if (isOfClub && mayKeyCall(member, presented)) {
      yield* countRead(member, presented)
      return member
    }
    return yield* forbid(presented, isOfClub ? Option.some(member) : Option.none(), foreignKey())
  })

  const identify = Effect.fnUntraced(function*(
    presented: PresentedCredential,
    wanted: Wanted,
    club: Option.Option<string>
  ) {
    // A token that only looks like a key is refused like any unknown token.
    if (isKeyToken(presented.credential)) return yield* refuseSession(presented, wanted, "key")
    const identity = yield* sessions.find(presented.credential, club)
    if (Option.isNone(identity)) return yield* refuseSession(presented, wanted)
    yield* nameCaller(callerOf(identity.value))
    return identity.value
  })

  const user = Effect.fnUntraced(function*(
    presented: PresentedCredential,
    club: Option.Option<string>,
    wanted: Wanted = "admin"
  ) {
    const identity = yield* identify(presented, wanted, club)
    return identity._tag === "User" ? identity : yield* refuseSession(presented, wanted, "student")
  })

  const student = Effect.fnUntraced(function*(presented: PresentedCredential) {
    const identity = yield* identify(presented, "student", Option.none())
    return identity._tag === "Student" ? identity : yield* refuseSession(presented, "student", "admin")
  })

  const memberInPerson = Effect.fnUntraced(function*(presented: PresentedCredential, wanted: Wanted = "admin") {
    const identity = yield* user(presented, Option.some(yield* pathClub), wanted)
    const member = memberOf(identity)
    return Option.isSome(member) && mayCall(member.value.role, presented)
      ? member.value
      : yield* forbid(presented, member)
  })

  const clubMember = (presented: PresentedCredential) =>
    isKeyToken(presented.credential)
      ? keyOfClub(presented, "admin-or-key")
      : memberInPerson(presented, "admin-or-key")

  const keyHolder = (presented: PresentedCredential) => key(presented, "key")

  const clubStudent = Effect.fnUntraced(function*(presented: PresentedCredential) {
    const identity = yield* student(presented)
    return identity.club.organization_id === (yield* pathClub) ? identity : yield* refuse(presented, new Forbidden())
  })

  const clubPerson = Effect.fnUntraced(function*(presented: PresentedCredential) {
    if (isKeyToken(presented.credential)) return yield* keyOfClub(presented, "either-or-key")
    const club = yield* pathClub
    const identity = yield* identify(presented, "either-or-key", Option.some(club))
    if (identity._tag === "Student") {
      return identity.club.organization_id === club ? identity : yield* forbid(presented, Option.none())
    }
    const member = memberOf(identity)
    return Option.isSome(member) && mayCall(member.value.role, presented)
      ? member.value
      : yield* forbid(presented, member)
  })

  const account = (presented: PresentedCredential) =>
    Effect.map(identify(presented, "either", Option.none()), accountOf)

  return { account, clubMember, clubPerson, clubStudent, keyHolder, memberInPerson, student, user }
})

type HttpEffect<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled, R>

const credentialIdOf = (identity: MemberIdentity | { readonly session: Session }): string => {
  if (!("credential" in identity)) return identity.session.id
  return identity.credential.kind === "key" ? identity.credential.key.id : identity.credential.session.id
}

/** Runs the handler as this identity and on its behalf; its session or key also owns the request's `Idempotency-Key`. */
const makeProceedAs =
  (founders: Founders["Service"]) =>
  <Id, Identity extends Parameters<typeof onBehalfOf>[0] & Parameters<typeof credentialIdOf>[0]>(
    key: Context.Key<Id, Identity>,
    httpEffect: HttpEffect<Id>
  ) =>
  (identity: Identity) =>
    Effect.updateContext(httpEffect, (context: Context.Context<never>) =>
      context.pipe(
        Context.add(key, identity),
        onBehalfOf(identity, founders),
        Context.add(RequestOwner, Option.some(credentialIdOf(identity)))
      ))

/**
 * For routes that declare both schemes. After a failure the builder would try the next scheme and answer with its
 * failure. The first scheme looks in both tables at once, so it answers for both.
 */
const proceedOrAnswer = <A, E extends HttpServerRespondable.Respondable, R1, R2>(
  check: Effect.Effect<A, E, R1>,
  proceed: (identity: A) => HttpEffect<R2>
) => Effect.matchEffect(check, { onFailure: HttpServerRespondable.toResponse, onSuccess: proceed })

/** The middlewares of the schemes of sessions and keys. */
export const AuthenticationLayer = Layer.unwrap(Effect.gen(function*() {
  const check = yield* makeSessionChecks
  const auditRecorder = yield* AuditRecorder
  const proceedAs = makeProceedAs(yield* Founders)
  /** Writes of members are recorded; acts of students are not, and neither are reads. */
  const recorded = <Identity extends MemberIdentity | StudentIdentity, R>(
    presented: PresentedCredential,
    proceed: (identity: Identity) => HttpEffect<R>
  ) =>
  (identity: Identity) =>
    identity._tag === "Student" || presented.endpoint.method === "GET"
      ? proceed(identity)
      : auditRecorder.record(actorOf(identity), presented, proceed(identity))
  const anySession = (httpEffect: HttpEffect<CurrentAccount>, presented: PresentedCredential) =>
    proceedOrAnswer(check.account(presented), proceedAs(CurrentAccount, httpEffect))
  const clubMember = (httpEffect: HttpEffect<CurrentMember>, presented: PresentedCredential) =>
    proceedOrAnswer(check.clubMember(presented), recorded(presented, proceedAs(CurrentMember, httpEffect)))
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
    Layer.succeed(ClubMember, { userSession: clubMember, clubKey: clubMember }),
    Layer.succeed(ClubMemberInPerson, {
      userSession: (httpEffect, presented) =>
        Effect.flatMap(check.memberInPerson(presented), recorded(presented, proceedAs(CurrentMember, httpEffect)))
    }),
    Layer.succeed(ClubKeyHolder, {
      clubKey: (httpEffect, presented) =>
        Effect.flatMap(check.keyHolder(presented), recorded(presented, proceedAs(CurrentMember, httpEffect)))
    }),
    Layer.succeed(ClubStudent, {
      studentSession: (httpEffect, presented) =>
        Effect.flatMap(check.clubStudent(presented), proceedAs(CurrentStudent, httpEffect))
    }),
    Layer.succeed(ClubPerson, { userSession: clubPerson, studentSession: clubPerson, clubKey: clubPerson })
  )
})).pipe(Layer.provide([AuditLog.layer, AuditRecorder.layer, Founders.layer]))
