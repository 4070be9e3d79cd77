import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { Conditional } from "../Conditional.ts"

interface Response {
  readonly description: string
  readonly headers?: Record<string, unknown>
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<unknown>
  readonly responses: Record<string, Response>
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>
}

const idsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const ids = new Set<string>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, middleware }) => {
      const isConditional = [...middleware].some(({ key }) => key === Conditional.key)
      if (isConditional) ids.add(`${group.identifier}.${endpoint.identifier}`)
    }
  })
  return ids
}

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of the answer that one has, or several of them: where it still holds, 304 and no body",
  schema: { type: "string", examples: [`"47DEQpj8HBSa-_TImW-5JC"`] }
}

const tag = { $ref: "#/components/headers/ETag" }

const conditional = (operation: Operation): Operation => {
  const { responses } = operation
  const read = responses["200"]
  if (read === undefined) return operation
  const headers = { ...read.headers, ETag: tag }
  return {
    ...operation,
    parameters: [...operation.parameters, ifNoneMatch],
    responses: {
      ...responses,
      200: { ...read, headers },
      304: { description: "`If-None-Match` names the current answer", headers }
    }
  }
}

/** Says of the reads that are `Conditional` what they take and answer for that. */
export const withConditionalReads = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) => {
  const ids = idsOf(api)
  return (spec: Record<string, unknown>): Record<string, unknown> => {
    const { paths }: Document = JSON.parse(JSON.stringify(spec))
    const read = (operation: Operation) => ids.has(operation.operationId) ? conditional(operation) : operation
    const described = Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, read(operation)]))
    ])
    return { ...spec, paths: Object.fromEntries(described) }
  }
}
