import { Context } from "effect"

/** In the order in which the document has them. */
export const audiences = ["dashboard", "classroom", "webhooks", "machines"] as const

/** Whom operations are for. */
export type Audience = (typeof audiences)[number]

/** Whom a group of routes is for: `.annotate(GroupAudience, "dashboard")`. The document puts its tags together by it. */
export const GroupAudience = Context.Reference<Audience | undefined>("turma/platform/http/GroupAudience", {
  defaultValue: () => undefined
})
