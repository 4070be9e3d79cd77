import { Layer, Logger } from "effect"
import { appLayer } from "../harness/App.ts"
import type { PageOptions } from "../harness/Browser.ts"
import { looking, pageVariables, visitWith } from "../harness/Visiting.ts"

export { becomes, follow, open, settled } from "../harness/Visiting.ts"

/** The service with its classrooms, where browsers reach it. */
export const ClassroomAppLayer = appLayer(pageVariables).pipe(Layer.provide(Logger.layer([])))

/** The address of a view in a club's classroom: `/classroom/<club>/lessons/<lesson>`. */
export const addressOf = (club: { readonly organization_id: string }, ...parts: ReadonlyArray<string>): string =>
  ["/classroom", club.organization_id, ...parts].join("/")

/** The service does not know its own port, so the address of the club's icon is at another one. */
const ownIcon = /face\/icon\.svg/

/** A page in a club's classroom. It is signed in if the caller gives the token of a student's session. */
export const visit = (
  club: { readonly organization_id: string },
  path: ReadonlyArray<string> = [],
  { expected = [], token, ...options }: PageOptions & { readonly token?: string } = {}
) =>
  visitWith(addressOf(club, ...path), { name: `turma-${club.organization_id.slice(0, 8)}`, token }, {
    ...options,
    expected: [ownIcon, ...expected]
  })

export const { look, lookAll } = looking("classroom")
