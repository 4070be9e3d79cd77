import { Effect } from "effect"
import type { HttpMethod } from "effect/http"
import { send } from "../../harness/App.ts"

/** The headers of the console's own page with each request, including those of the browser. */
export const ownHeaders = { "sec-fetch-site": "same-origin", "turma-console": "1" }

/** The name of the session's cookie over HTTPS. */
export const sessionCookie = "__Host-turma-session"

/** The name of the operator's cookie over HTTPS. */
export const operatorCookie = "__Host-turma-operator"

/** A request as the console's page sends it, with this session's token in its cookie. */
export const asPage = (
  method: HttpMethod.HttpMethod,
  path: string,
  { body, cookie, headers = {}, session }: {
    readonly session?: string
    readonly cookie?: string
    readonly body?: unknown
    readonly headers?: Record<string, string>
  } = {}
) => {
  const cookies = cookie ?? (session === undefined ? undefined : `${sessionCookie}=${session}`)
  return send(method, path, {
    body,
    headers: { ...ownHeaders, ...cookies === undefined ? {} : { cookie: cookies }, ...headers }
  })
}

/** The cookies that an answer sets, each with its name and attributes. */
export const cookiesOf = (headers: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  (headers["set-cookie"] ?? "").split(/, (?=[\w-]+=)/).filter((cookie) => cookie !== "")

/** The value of a cookie that an answer sets. */
export const valueOf = (cookies: ReadonlyArray<string>, name: string): string | undefined =>
  cookies.flatMap((cookie) =>
    cookie.startsWith(`${name}=`) ? [cookie.slice(name.length + 1).split(";")[0] ?? ""] : []
  )[0]

/** Signs in as the page does. */
export const signInAsPage = Effect.fnUntraced(function*(email: string, password = "correct horse") {
  const answer = yield* asPage("POST", "/console/session", { body: { email, password } })
  return { answer, session: valueOf(cookiesOf(answer.headers), sessionCookie) ?? "" }
})
