import { collector } from "./Collector.ts"
import { mapValues, refsIn } from "./Schemas.ts"

// Operations of a kind fail in the same ways, take the same pages and answer the same things. Said once, the document is a third as long.

interface Operation {
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly responses: Record<string, { readonly content?: unknown; readonly description?: string }>
}

/** The generator's description of an answer without a body. */
const noContent = "<No Content>"

/** A success has its body in `data`; no failure has. */
const isSuccess = (content: unknown) => /"properties":\{"data":/.test(JSON.stringify(content))

/** Called after what is in it: the named schemas, in a list or not. */
const nameOf = ({ content, description }: { readonly content?: unknown; readonly description?: string }) => {
  // Every failure has a body, so an answer without one is a 204 or a 304.
  if (content === undefined) return description === noContent ? "NoContent" : "NotModified"
  const names = refsIn(content).map((name) => name === "NextCursor" || name === "NoNextCursor" ? "List" : name)
  return isSuccess(content) ? `${names.join("")}Answer` : names.join("Or")
}

/** Operations, by path or by the name of what is sent, and by method. */
type Operations = Record<string, Record<string, Operation>>

const listed = (items: Operations) => Object.values(items).flatMap((item) => Object.values(item))

/** The same operations, where what several say alike is one of the components `responses` and `parameters`. */
export const shared = <One extends Operation>(
  paths: Record<string, Record<string, One>>,
  webhooks: Operations = {}
) => {
  const operations = listed(paths)
  const alike = collector(
    "responses",
    operations.flatMap(({ responses }) => Object.values(responses)),
    nameOf
  )
  const parameters = collector(
    "parameters",
    [...operations, ...listed(webhooks)].flatMap((one) => one.parameters),
    ({ name }) => name
  )
  const replaced = mapValues(paths, (item) =>
    mapValues(item, (operation) => ({
      ...operation,
      parameters: operation.parameters.map(parameters.replace),
      responses: mapValues(operation.responses, (response) => alike.replace(response))
    })))
  const sent = mapValues(
    webhooks,
    (item) =>
      mapValues(item, (operation) => ({ ...operation, parameters: operation.parameters.map(parameters.replace) }))
  )
  return { paths: replaced, sent, components: { responses: alike.shared, parameters: parameters.shared } }
}
