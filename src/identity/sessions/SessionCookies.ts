import { type OwnCookie, ownCookie } from "../../platform/http/OwnCookie.ts"
import type { AccountScope } from "../people/AccountScope.ts"

/** Distinguishes the clubs of one person. It is short, since each request to us has the cookies of all clubs. */
const clubPart = (organization_id: string) => organization_id.slice(0, 8)

/**
 * The cookie in which a browser keeps a session. That of administrators is `turma-session`. That of a student is `turma-` and
 * the first 8 characters of the club's public id, so a person in two clubs has two. Over HTTPS, `__Host-` goes before the
 * name.
 */
export const sessionCookie = (scope: AccountScope, api: URL): OwnCookie =>
  ownCookie(
    scope.kind === "admin" ? "turma-session" : `turma-${clubPart(scope.organization_id)}`,
    api.protocol === "https:"
  )
