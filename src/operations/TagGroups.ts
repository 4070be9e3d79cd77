import { Context } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"

/** Whom the operations of a group of the contract are for. */
export type TagGroup = "dashboard" | "classroom" | "webhooks" | "machines"

/** Which groups of the contract are for whom. */
export type Grouping<Groups extends HttpApiGroup.Constraint> = {
  readonly [Id in HttpApiGroup.Identifier<Groups>]: TagGroup
}

/** The tags for each audience, as readers of the document put them together (`x-tagGroups`). */
export const tagGroupsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  grouping: Grouping<Groups>
): ReadonlyArray<{ readonly name: TagGroup; readonly tags: ReadonlyArray<string> }> => {
  const tags: Record<TagGroup, Array<string>> = { dashboard: [], classroom: [], webhooks: [], machines: [] }
  const groupOf = new Map(Object.entries<TagGroup>(grouping))
  HttpApi.reflect(api, {
    onGroup: ({ group }) => {
      const name = groupOf.get(group.identifier)
      if (name !== undefined) {
        tags[name].push(Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier))
      }
    },
    onEndpoint: () => {}
  })
  return (["dashboard", "classroom", "webhooks", "machines"] as const).map((name) => ({ name, tags: tags[name] }))
}
