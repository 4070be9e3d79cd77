// A key in a few words of the view. Pure.

/** The areas that a key may open. */
export const keyAreas = [
  "agents",
  "audit",
  "billing",
  "catalog",
  "clubs",
  "community",
  "content",
  "gamification",
  "lives",
  "media",
  "mentorships",
  "repositories",
  "sales",
  "students",
  "support",
  "webhooks"
] as const

/** An area of the API. */
export type KeyArea = (typeof keyAreas)[number]

/** A right in an area, as the API has it. */
export type Scope = `${KeyArea}:${"read" | "write"}`

/** How far a key goes in an area; writing includes reading. */
export type Reach = "none" | "read" | "write"

/** Each area in which a key may do something, and what. */
export const reachesOf = (scopes: ReadonlyArray<string>): ReadonlyArray<readonly [KeyArea, Reach]> =>
  keyAreas.flatMap((area): ReadonlyArray<readonly [KeyArea, Reach]> => {
    if (scopes.includes(`${area}:write`)) return [[area, "write"]]
    return scopes.includes(`${area}:read`) ? [[area, "read"]] : []
  })

/** The rights that were chosen area by area. */
export const scopesOf = (reach: (area: KeyArea) => string): ReadonlyArray<Scope> =>
  keyAreas.flatMap((area): ReadonlyArray<Scope> => {
    const chosen = reach(area)
    return chosen === "read" || chosen === "write" ? [`${area}:${chosen}`] : []
  })

/** Networks that were entered, one a line or with commas. */
export const networksIn = (text: string): ReadonlyArray<string> => text.split(/[\s,;]+/).filter((part) => part !== "")
