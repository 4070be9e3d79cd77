import { Context, Effect, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { addInnermost, setQuery } from "../../patches/ServedEndpoint.ts"
import { type Build, smallGroup } from "../../patches/SmallContexts.ts"
import { MayReadReplica } from "../../sql/Replica.ts"
import { isPage } from "../Page.ts"

/** Takes no parameter at all. */
const noQuery = Schema.Record(Schema.String, Schema.Never)

/** The innermost middleware of every list that has pages: who asks for it is looked up outside of it. */
class ListReads extends HttpApiMiddleware.Service<ListReads>()("turma/platform/http/server/ListReads") {}

/** Lets what the handlers of lists read be read at a replica. */
const mayReadReplica: typeof ListReads.Service = Effect.provideService(MayReadReplica, true)

const isList = ({ method, success }: HttpApiEndpoint.Top) => method === "GET" && [...success].some(isPage)

/**
 * The changes of the served API alone. Endpoints without a query refuse every parameter, as other endpoints refuse
 * unknown ones, and lists may be read at a replica.
 */
const change = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  identifier: string
) => {
  const isStrict = Context.getOrUndefined(api.annotations, HttpApi.QueryParseOptions)?.onExcessProperty === "error"
  HttpApi.reflect(api, {
    predicate: ({ group }) => group.identifier === identifier,
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (isStrict && endpoint.query === undefined) setQuery(endpoint, noQuery)
      if (isList(endpoint)) addInnermost(endpoint, ListReads)
    }
  })
}

/**
 * `HttpApiBuilder.group` as Turma serves it: strict queries, lists from a replica, and requests with small contexts. The api
 * is one of its own for each group (`versioned`, `closedContractOf`): its endpoints are changed.
 */
export const group = <
  ApiId extends string,
  Groups extends HttpApiGroup.Constraint,
  const Identifier extends HttpApiGroup.Identifier<Groups>,
  Return
>(
  api: HttpApi.HttpApi<ApiId, Groups>,
  identifier: Identifier,
  build: Build<Groups, Identifier, Return>
) => {
  change(api, identifier)
  return smallGroup(api, identifier, Context.make(ListReads, mayReadReplica), build)
}
