import { Effect, Option } from "effect"
import { features, Scope } from "../../identity/people/Scope.ts"
import { ValidationFailed } from "../../platform/http/errors.ts"

// Which of its tools a client wants: `?tools=students:read,webhooks`, `turma mcp --tools students:read,webhooks`. Fewer tools are read faster, and mistaken less.

const known = new Map<string, Scope>([
  ...features.map((feature) => [feature, `${feature}:write`] as const),
  ...Scope.literals.map((scope) => [scope, scope] as const)
])

/** The areas that a text names, as scopes: an area alone is all of it. `None` if one of them is not an area. */
export const toolSetOf = (text: string): Option.Option<ReadonlyArray<Scope>> => {
  const names = text.split(",")
  const scopes = names.flatMap((name) => known.get(name.trim()) ?? [])
  return scopes.length === names.length ? Option.some(scopes) : Option.none()
}

/** The values of `toolSetOf`, in words. */
export const toolSetWanted = `tools must be areas such as students or students:read, with commas: ${
  features.join(", ")
}`

const refused = new ValidationFailed({ error: { message: toolSetWanted } })

/** The areas that the query of a request names; null without any, for all that the key may use. */
export const toolSetIn = (query: URLSearchParams): Effect.Effect<ReadonlyArray<Scope> | null, ValidationFailed> => {
  const other = [...query.keys()].find((name) => name !== "tools")
  if (other !== undefined) {
    return Effect
      .fail(new ValidationFailed({ error: { message: `${other.slice(0, 64)}: there is no such parameter` } }))
  }
  const texts = query.getAll("tools")
  if (texts.length === 0) return Effect.succeed(null)
  return Option.match(toolSetOf(texts.join()), {
    onNone: () => Effect.fail(refused),
    onSome: (scopes) => Effect.succeed(scopes)
  })
}
