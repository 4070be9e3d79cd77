import { collector } from "./Collector.ts"
import { isObject, mapValues } from "./Schemas.ts"

// Many operations take or answer the same thing, and show it by the same example.

interface Media {
  readonly example?: unknown
}

interface WithContent {
  readonly content?: Record<string, Media>
}

interface Operation {
  readonly operationId: string
  readonly requestBody?: WithContent
  readonly responses: Record<string, object>
}

type Paths<One> = Record<string, Record<string, One>>

/** A reference to less would be longer than what it stands for. */
const shortest = 150

const isLong = (example: unknown) => example !== undefined && JSON.stringify(example).length >= shortest

const contentOf = (holder: unknown): Record<string, Media> =>
  isObject(holder) && isObject(holder["content"]) ? mapValues(holder["content"], (media) => Object(media)) : {}

const examplesIn = (holder: unknown) =>
  Object.values(contentOf(holder)).flatMap(({ example }) => isLong(example) ? [example] : [])

/** The examples of an operation, each with a name. */
const shownBy = ({ operationId, requestBody, responses }: Operation) => [
  ...examplesIn(requestBody).map((value) => ({ name: `${operationId}.request`, value })),
  ...Object.values(responses).flatMap(examplesIn).map((value) => ({ name: operationId, value }))
]

/** The same operations, where an example that several show is one of the components `examples`. */
export const withSharedExamples = <One extends Operation>(paths: Paths<One>) => {
  const shown = Object.values(paths).flatMap((item) => Object.values(item).flatMap(shownBy))
  const names = new Map<string, string>()
  for (const { name, value } of shown) {
    const text = JSON.stringify({ value })
    names.set(text, names.get(text) ?? name)
  }
  const examples = collector(
    "examples",
    shown.map(({ value }) => ({ value })),
    (part) => names.get(JSON.stringify(part)) ?? "example"
  )
  const shared = (media: Media): object => {
    const { example, ...rest } = media
    if (!isLong(example)) return media
    const part = examples.replace({ value: example })
    if (!("$ref" in part)) return media
    return { ...rest, examples: { [part.$ref.slice(part.$ref.lastIndexOf("/") + 1)]: part } }
  }
  const told = <Holder extends object>(holder: Holder): Holder =>
    "content" in holder ? { ...holder, content: mapValues(contentOf(holder), shared) } : holder
  const replaced = mapValues(paths, (item) =>
    mapValues(item, (operation) => ({
      ...operation,
      ...operation.requestBody === undefined ? {} : { requestBody: told(operation.requestBody) },
      responses: mapValues(operation.responses, told)
    })))
  return { paths: replaced, examples: examples.shared }
}
