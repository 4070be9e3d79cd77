import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { Holder } from "../../identity/people/Holder.ts"
import type { SessionId } from "../../identity/people/Session.ts"
import { sessionCookie } from "../../identity/sessions/SessionCookies.ts"
import { html, type Markup } from "../../platform/pages/Html.ts"
import type { PageServices } from "./Services.ts"

/** An account as a page names it. */
export interface Person {
  readonly name: string
  readonly email: string
}

/** The person whose session the browser keeps. */
export interface Visitor extends Person {
  readonly holder: Holder
  readonly session_id: SessionId
}

/**
 * The person who is signed in in this browser, as an administrator or in this club. Empty without a session that goes on.
 * Browsers do not send the cookie with a link from another site, such as a mailbox. They send it with the form.
 */
export const visitorIn = Effect.fnUntraced(function*({ sessions, urls }: PageServices, scope: AccountScope) {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const token = cookies[sessionCookie(scope, urls.api).name] ?? ""
  const found = yield* sessions.find(Redacted.make(token), Option.none())
  return Option.flatMap(found, (identity): Option.Option<Visitor> => {
    const session_id = identity.session.id
    if (identity._tag === "User") {
      const { email, id, name } = identity.user
      if (scope.kind !== "admin") return Option.none()
      return Option.some({ name, email, session_id, holder: { kind: "admin", user_id: id } })
    }
    const { club, student: { email, id, name } } = identity
    if (scope.kind === "admin" || scope.organization_id !== club.organization_id) return Option.none()
    return Option.some({ name, email, session_id, holder: { kind: "student", club_id: club.id, student_id: id } })
  })
})

/** Ends the session that the browser keeps, if there is one. */
export const endVisit = Effect.fnUntraced(function*(services: PageServices, scope: AccountScope) {
  const visitor = yield* visitorIn(services, scope)
  if (Option.isSome(visitor)) yield* services.sessions.end(visitor.value.holder, visitor.value.session_id)
})

/** Names an account. A name in another direction of writing does not change the order of the address. */
export const accountOf = ({ email, name }: Person): Markup => {
  const domain = email.lastIndexOf("@") + 1
  const address = html`<bdi>${email.slice(0, domain)}<wbr>${email.slice(domain)}</bdi>`
  return html`<div class="notice"><p>${name !== email && html`<strong><bdi>${name}</bdi></strong>`}${address}</p></div>`
}

/** An address that its owner recognizes: `n…@example.com`. A word joiner keeps it in one line. */
export const maskedAddress = (email: string): string => {
  const at = email.lastIndexOf("@")
  const [first = ""] = email
  return `${first}…\u2060${email.slice(at)}`
}
