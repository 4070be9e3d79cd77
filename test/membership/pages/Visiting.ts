import { Effect } from "effect"
import { foundClub, send } from "../../harness/App.ts"
import { makeClub } from "../../harness/Makers.ts"
import { admins, type Side, studentsOf } from "../accounts/People.ts"

/** The pages of a side, with the same people as the API's routes. */
export interface Pages {
  readonly side: Side
  readonly folder: string
}

export const administrators: Pages = { side: admins, folder: "/account" }

export const studentPagesOf = (club: { readonly organization_id: string }): Pages => ({
  side: studentsOf(club),
  folder: `/classroom/${club.organization_id}`
})

const ofNewClub = Effect.map(makeClub({ locale: "en" }), studentPagesOf)

/** For a rule that holds for both sides. The students' club is new. */
export const bothPages: ReadonlyArray<
  readonly [string, Effect.Effect<Pages, unknown, Effect.Services<typeof ofNewClub>>]
> = [
  ["an administrator", Effect.succeed(administrators)],
  ["a student", ofNewClub]
]

/** The student pages of a club in this language. */
export const clubIn = (locale: "en" | "pt-BR") => Effect.map(foundClub({ locale }), studentPagesOf)

type Headers = Record<string, string>

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

export const show = (address: string, headers: Headers = {}) =>
  send("GET", address, { headers: { ...browser, ...headers } })

/** Sends a form as a browser does from our own pages. */
export const submit = (address: string, form: Record<string, string>, headers: Headers = {}) =>
  send("POST", address, {
    body: new URLSearchParams(form).toString(),
    headers: {
      ...browser,
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      ...headers
    }
  })

/** The heading of a page. */
export const headingOf = ({ text }: { readonly text: string }) => /<h1>([^<]*)<\/h1>/.exec(text)?.[1]

/** The cookie in which a browser keeps a session of these pages. */
export const cookieOf = ({ side }: Pages) =>
  side.kind === "admin" ? "__Host-turma-session" : `__Host-turma-${(side.place.club_id ?? "").slice(0, 8)}`

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Where an answer leads the browser, and the session that it keeps. */
export const arrivalAt = (pages: Pages, { headers, status }: Answered) => {
  const cookie = headers["set-cookie"] ?? ""
  const session = new RegExp(`^${cookieOf(pages)}=([\\w-]{43});`).exec(cookie)?.[1] ?? ""
  return { status, location: headers["location"], session, attributes: cookie.slice(cookie.indexOf(";")) }
}

/** The headers of a browser that keeps this session. */
export const keeping = (pages: Pages, session: string): Headers => ({ cookie: `${cookieOf(pages)}=${session}` })

/** The start page of these people. */
export const homeOf = ({ side }: Pages) => side.kind === "admin" ? "/console" : `/classroom/${side.place.club_id}`

/** An address as a page of an account shows it. */
export const shownAddress = (email: string) => `<bdi>${email.replace(/@(?=[^@]*$)/, "@<wbr>")}</bdi>`
