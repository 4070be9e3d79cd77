import { Effect } from "effect"
import type { HttpMethod } from "effect/http"
import { cookiesOf, valueOf } from "../../console/server/Own.ts"
import { send } from "../../harness/App.ts"

interface Club {
  readonly organization_id: string
}

/** The headers of a club's own classroom with each request, including those of the browser. */
export const ownHeaders = ({ organization_id }: Club) => ({
  "sec-fetch-site": "same-origin",
  "turma-classroom": organization_id
})

/** The name of a student's cookie in this club over HTTPS. */
export const cookieName = ({ organization_id }: Club): string => `__Host-turma-${organization_id.slice(0, 8)}`

/** A request as a club's classroom sends it, with these cookies. */
export const asClassroom = (
  club: Club,
  method: HttpMethod.HttpMethod,
  path: string,
  { body, cookies = {}, headers = {} }: {
    readonly body?: unknown
    readonly cookies?: Readonly<Record<string, string>>
    readonly headers?: Record<string, string>
  } = {}
) => {
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`).join("; ")
  return send(method, path, {
    body,
    headers: { ...ownHeaders(club), ...cookie === "" ? {} : { cookie }, ...headers }
  })
}

/** Signs a student in as the page does. */
export const signInAsClassroom = Effect.fnUntraced(function*(club: Club, email: string, password = "correct horse") {
  const body = { club_id: club.organization_id, email, password }
  const answer = yield* asClassroom(club, "POST", "/classroom/session", { body })
  return { answer, session: valueOf(cookiesOf(answer.headers), cookieName(club)) ?? "" }
})
