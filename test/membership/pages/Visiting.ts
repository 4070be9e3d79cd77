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
