import { Effect, Option, Schema } from "effect"
import { exchangeRewrite } from "../../browser/server/Exchange.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { sessionCookie } from "../../identity/sessions/SessionCookies.ts"
import type { Rewrite } from "../../platform/http/server/Rewrite.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { sentId } from "../../platform/http/Text.ts"
import { isServed } from "./ClassroomAddresses.ts"

const decodeClub = Schema.decodeUnknownOption(sentId(OrganizationId))

const nothing: Rewrite = () => undefined

/**
 * The classroom's way to the API. The page's header names the club, and each club has a cookie of its own, so somebody
 * in two clubs has two sessions.
 */
export const classroomRewrite = Effect.gen(function*() {
  if (!(yield* isServed)) return nothing
  const { api } = yield* PublicUrls
  return exchangeRewrite({
    page: "classroom",
    cookie: (header) =>
      Option.match(decodeClub(header), {
        onNone: () => undefined,
        onSome: (organization_id) => sessionCookie({ kind: "student", organization_id }, api)
      }),
    signIn: "/v1/auth/sign-in",
    exchange: "/v1/auth/exchange"
  })
}).pipe(Effect.provide(PublicUrls.layer))
