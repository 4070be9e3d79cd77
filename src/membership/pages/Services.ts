import { Effect } from "effect"
import { AuditRecorder } from "../../identity/audit/AuditRecorder.ts"
import { credentialCount, ipWriteCount } from "../../identity/limits/RateLimitsLayer.ts"
import { SessionStore } from "../../identity/sessions/SessionStore.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { CredentialRequests } from "../accounts/CredentialRequests.ts"
import { Credentials } from "../accounts/Credentials.ts"
import { SignInAttempts } from "../accounts/SignInAttempts.ts"
import { ClubFaces } from "../clubs/ClubFaces.ts"
import { Clubs } from "../clubs/Clubs.ts"
import { Members } from "../clubs/Members.ts"
import { DeviceLogins } from "../keys/DeviceLogins.ts"

/** The services of the pages. The handlers of the API use the same ones, with the same counters. */
export const pageServices = Effect.gen(function*() {
  return {
    attempts: yield* SignInAttempts,
    clubs: yield* Clubs,
    countCredential: yield* credentialCount,
    countWrite: yield* ipWriteCount,
    credentials: yield* Credentials,
    auditRecorder: yield* AuditRecorder,
    devices: yield* DeviceLogins,
    faces: yield* ClubFaces,
    members: yield* Members,
    requests: yield* CredentialRequests,
    sessions: yield* SessionStore,
    tokens: yield* OneTimeTokens,
    urls: yield* PublicUrls
  }
})

export type PageServices = Effect.Success<typeof pageServices>
