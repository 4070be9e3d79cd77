import { Context, Schema } from "effect"

/** The areas of the contract that a key may have a scope for (contract, What the service does 2). */
export const features = [
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
export type Feature = (typeof features)[number]

/** The area that a group of routes is part of: `.annotate(KeyFeature, "students")`. Groups without it let no key in. */
export const KeyFeature = Context.Reference<Feature | undefined>("turma/identity/people/KeyFeature", {
  defaultValue: () => undefined
})

const scopes = features.flatMap((feature) => [`${feature}:read`, `${feature}:write`] as const)

/** The right of a key in one area: to read it, or to read and write it. */
export const Scope = Schema.Literals(scopes).annotate({
  identifier: "KeyScope",
  description: "An area of the API that a key may read, or read and write"
})
export type Scope = typeof Scope.Type

/** Number of scopes. */
export const scopeCount = scopes.length

/** True if one of the scopes allows reading, or else writing, in the area. Writing includes reading. */
export const allows = (granted: ReadonlyArray<Scope>, feature: Feature, reads: boolean): boolean =>
  granted.includes(`${feature}:write`) || reads && granted.includes(`${feature}:read`)

/** The least scope that allows reading, or else writing, in the area. */
export const scopeFor = (feature: Feature, reads: boolean): Scope => reads ? `${feature}:read` : `${feature}:write`
