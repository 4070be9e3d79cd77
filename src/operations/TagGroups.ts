import { Context } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { type Audience, audiences, GroupAudience } from "../platform/http/Audience.ts"

/** The tag of a group, and its audience. */
const tagOf = ({ annotations, identifier }: HttpApiGroup.Top) => {
  const audience = Context.get(annotations, GroupAudience)
  if (audience === undefined) throw new Error(`The group ${identifier} of the contract has no GroupAudience`)
  return { audience, tag: Context.getOrElse(annotations, OpenApi.Title, () => identifier) }
}

/** The tags for each audience, as readers of the document put them together (`x-tagGroups`). Each group has to have one. */
export const tagGroupsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<{ readonly name: Audience; readonly tags: ReadonlyArray<string> }> => {
  const tags: Array<ReturnType<typeof tagOf>> = []
  HttpApi.reflect(api, { onGroup: ({ group }) => tags.push(tagOf(group)), onEndpoint: () => {} })
  return audiences.map((name) => ({
    name,
    tags: tags.filter(({ audience }) => audience === name).map(({ tag }) => tag)
  }))
}
