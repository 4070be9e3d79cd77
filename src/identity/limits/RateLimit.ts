import { HttpApiMiddleware } from "effect/http-api"
import { ApiError } from "../../platform/http/ApiError.ts"
import type { CurrentMember, CurrentPerson, CurrentStudent } from "../people/Identity.ts"

/** Contract, Limits, Rate limits 1. The answer carries `Retry-After` in seconds. */
export class RateLimited extends ApiError<RateLimited>()("RateLimited", {
  status: 429,
  code: "rate_limited",
  message: {
    en: "Too many requests: try again after as many seconds as Retry-After says",
    "pt-BR": "Requisições demais: tente de novo daqui a pouco."
  }
}) {}

/** Contract, Limits, Rate limits 3: credentials are not checked while attempts cannot be counted. It carries `Retry-After`. */
export class RateLimitUnavailable extends ApiError<RateLimitUnavailable>()("RateLimitUnavailable", {
  status: 503,
  code: "rate_limit_unavailable",
  message: {
    en: "Requests cannot be counted at the moment: try again later",
    "pt-BR": "O serviço não consegue contar requisições agora: tente mais tarde."
  }
}) {}

/** POSTs on `/v1/auth`: 10 per minute and IP; 503 while the counter is down. Other methods pass uncounted. */
export class CredentialPosts
  extends HttpApiMiddleware.Service<CredentialPosts>()("turma/identity/limits/CredentialPosts", {
    error: [RateLimited, RateLimitUnavailable]
  })
{}

/** Writes outside clubs: 60 per minute and IP. Reads pass uncounted, and everything while the counter is down. */
export class IpWrites extends HttpApiMiddleware.Service<IpWrites>()("turma/identity/limits/IpWrites", {
  error: RateLimited
}) {}

/** Writes of a club's members: 60 per minute and club, from whatever IP. Reads pass as in `IpWrites`. */
export class ClubWrites extends HttpApiMiddleware.Service<ClubWrites, {
  requires: CurrentMember
}>()("turma/identity/limits/ClubWrites", { error: RateLimited }) {}

/** A student's writes: 600 per minute and student. Reads pass as in `IpWrites`. */
export class StudentWrites extends HttpApiMiddleware.Service<StudentWrites, {
  requires: CurrentStudent
}>()("turma/identity/limits/StudentWrites", { error: RateLimited }) {}

/**
 * For routes outside `/classroom` that members and students share: writes of either count against the club (contract,
 * Limits). Under `/classroom` writes of students count against the student.
 */
export class PersonWrites extends HttpApiMiddleware.Service<PersonWrites, {
  requires: CurrentPerson
}>()("turma/identity/limits/PersonWrites", { error: RateLimited }) {}

/** Inbound sales hooks: 600 per minute and IP; the sales platform resends refused ones. */
export class PlatformHooks extends HttpApiMiddleware.Service<PlatformHooks>()("turma/identity/limits/PlatformHooks", {
  error: RateLimited
}) {}
