import { Option, Schema } from "effect"
import type { AccountScope } from "../people/AccountScope.ts"

/** A page of ours that a person goes on to after signing in: its address below the classroom of a club or the console. */
export const NextPage = Schema.String.pipe(Schema.brand("NextPage"))
export type NextPage = typeof NextPage.Type

const longest = 200

/** The parts of the patterns below that stand for ids. Nothing in them leads out of a folder or to another host. */
const parts: Readonly<Record<string, string>> = {
  ":uuid": "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  ":public_id": "[A-Za-z0-9_-]{1,32}",
  ":area": "[a-z]{1,20}"
}

/** Every view of the classroom. A test compares them with the classroom's own list, which browsers alone read. */
const ofClassroom = [
  "account",
  "community",
  "community/posts/:uuid",
  "community/spaces/:uuid",
  "community/spaces/:uuid/write",
  "courses/:public_id",
  "lessons/:public_id",
  "lessons/:public_id/ask",
  "lives",
  "notifications",
  "ranking",
  "ranking/points",
  "repositories",
  "repositories/:public_id",
  "search",
  "support",
  "support/new",
  "support/:uuid"
]

/** The first part is the club. */
const ofConsole = [":uuid", ":uuid/:area", ":uuid/:area/:area", ":uuid/:area/:uuid", ":uuid/:area/:area/:uuid"]

/** A query or a fragment. Its other characters are encoded, so nothing in it looks like an address or a header. */
const rest = "(?:[\\w.~!*'()+=&-]|%[0-9A-Fa-f]{2})+"

const anyOf = (patterns: ReadonlyArray<string>, further = "") => {
  const paths = patterns.map((path) => path.replaceAll(/:\w+/g, (part) => parts[part] ?? part))
  return new RegExp(`^(?:${paths.join("|")})${further}$`)
}

const allowed = {
  admin: anyOf(ofConsole),
  student: anyOf(ofClassroom, `(?:\\?${rest})?(?:#${rest})?`)
} as const

/**
 * Where a link or a form wants a person to go, if it is one of our pages. In the classroom it may have a query and a
 * fragment. Anything else is empty: an address, a path that leads out of the folder, and an unknown page.
 */
export const nextPage = (kind: AccountScope["kind"], text: string): Option.Option<NextPage> =>
  text.length <= longest && allowed[kind].test(text) ? Option.some(NextPage.make(text)) : Option.none()

/** The address that a person who has signed in goes to: the classroom of their club or the console, or a page of it. */
export const landing = (scope: AccountScope, next: Option.Option<NextPage>): string => {
  const home = scope.kind === "admin" ? "/console" : `/classroom/${scope.organization_id}`
  return Option.match(next, { onNone: () => home, onSome: (page) => `${home}/${page}` })
}
