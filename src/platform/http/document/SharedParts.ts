import { collector } from "./Collector.ts"
import { mapValues, refsIn } from "./Schemas.ts"

// Every operation of a kind fails in the same ways and takes the same pages. Said once, the document is a third as long.

interface Operation {
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly responses: Record<string, { readonly content?: unknown; readonly description?: string }>
}

/** What the generator says of an answer without a body. */
const noContent = "<No Content>"

/** Failures, and successes without a body: what operations of a kind say alike. */
const isAlike = (status: string) => status >= "300" || status === "204"

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
    operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) => isAlike(status) ? [response] : [])
    ),
    // Every failure has a body: what has none is a 204, or a 304.
    ({ content, description }) =>
      content === undefined ? (description === noContent ? "NoContent" : "NotModified") : refsIn(content).join("Or")
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
      responses: mapValues(
        operation.responses,
        (response, status) => isAlike(status) ? alike.replace(response) : response
      )
    })))
  const sent = mapValues(
    webhooks,
    (item) =>
      mapValues(item, (operation) => ({ ...operation, parameters: operation.parameters.map(parameters.replace) }))
  )
  return { paths: replaced, sent, components: { responses: alike.shared, parameters: parameters.shared } }
}
