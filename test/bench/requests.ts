import type { OrganizationId } from "../../src/identity/ids/ClubId.ts"
import type { UserId } from "../../src/identity/ids/UserId.ts"
import type { Level } from "../../src/learning/gamification/Ladder.ts"

/** An administrator with a session and their own club. Every connection is another administrator. */
export interface Actor {
  readonly user_id: UserId
  readonly organization_id: OrganizationId
  readonly access_token: string
  readonly levels: ReadonlyArray<Level>
}

export interface Request {
  readonly method: "GET" | "PUT"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One of the measured routes. */
export interface Route {
  readonly name: string
  readonly request: (actor: Actor) => Request
}

const authorization = (access_token: string) => ({ authorization: `Bearer ${access_token}` })

export const me = ({ access_token }: Pick<Actor, "access_token">): Request => ({
  method: "GET",
  path: "/v1/me",
  headers: authorization(access_token)
})

export const readGamification = (
  { access_token, organization_id }: { readonly access_token: string; readonly organization_id: string }
): Request => ({
  method: "GET",
  path: `/v1/clubs/${organization_id}/gamification`,
  headers: authorization(access_token)
})

/** `body` goes out as it is, even if it is not JSON. */
export const putLevels = ({ access_token, organization_id }: Actor, body: string): Request => ({
  method: "PUT",
  path: `/v1/clubs/${organization_id}/gamification/levels`,
  headers: { ...authorization(access_token), "content-type": "application/json" },
  body
})

/** This route needs no database. */
export const health: Route = {
  name: "GET /v1/health",
  request: () => ({ method: "GET", path: "/v1/health", headers: {} })
}

/** The write keeps the ids, so both contenders answer the same and the ladder keeps its length. */
export const ladder: Route = {
  name: "PUT /v1/clubs/{id}/gamification/levels",
  request: (actor) => putLevels(actor, JSON.stringify({ levels: actor.levels }))
}

export const routes: ReadonlyArray<Route> = [
  health,
  { name: "GET /v1/me", request: me },
  { name: "GET /v1/clubs/{id}/gamification", request: readGamification },
  ladder
]
