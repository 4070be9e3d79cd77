import { Context } from "effect"

/** In the order in which the document has them. */
export const audiences = ["dashboard", "classroom", "webhooks", "machines"] as const

/** The people or programs that operations are for. */
export type Audience = (typeof audiences)[number]

/** The audience of a group of routes: `.annotate(GroupAudience, "dashboard")`. The document groups its tags by it. */
export const GroupAudience = Context.Reference<Audience | undefined>("turma/platform/http/GroupAudience", {
  defaultValue: () => undefined
})
