import { Context } from "effect"
import type { Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"

/** One route of the contract, with what it answers when all is well, by status. */
export interface ContractOperation {
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
  readonly successes: ReadonlyMap<number, ReadonlyArray<Schema.Top>>
}

/** Every route of a contract. */
export const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<ContractOperation> => {
  const operations: Array<ContractOperation> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, successes }) => operations.push({ group, endpoint, successes })
  })
  return operations
}

/** The served routes. They become tools at the first question for tools. */
export class ServedContract extends Context.Service<ServedContract, {
  readonly operations: () => ReadonlyArray<ContractOperation>
}>()("turma/operations/mcp/ServedContract") {}
