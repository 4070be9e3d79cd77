import { Context, Effect, Fiber, Layer, Schema, Scope } from "effect"
import { HttpApi, HttpApiBuilder, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { MayReadReplica } from "../../sql/Replica.ts"
import { isPage } from "../Page.ts"

type Build<Groups extends HttpApiGroup.Constraint, Identifier extends HttpApiGroup.Identifier<Groups>, Return> = (
  handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Identifier>>
) => HttpApiBuilder.Handlers.ValidateReturn<Return>

/** The keys of what the builder itself takes from its context: the middleware of the group's endpoints. */
const builderKeys = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  identifier: string
): ReadonlySet<string> => {
  const keys = new Set<string>([Scope.Scope.key, Layer.CurrentMemoMap.key])
  HttpApi.reflect(api, {
    predicate: ({ group }) => group.identifier === identifier,
    onGroup: () => {},
    onEndpoint: ({ middleware }) => middleware.forEach(({ key }) => keys.add(key))
  })
  return keys
}

/** Takes no parameter at all. */
const noQuery = Schema.Record(Schema.String, Schema.Never)

/**
 * Endpoints that declare no query refuse every parameter, like those that declare one and whoever sends another. The
 * builder reads no query then, and clients must send none, so only this api, which is served, has the schema.
 */
const refuseQueries = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  identifier: string
) => {
  const isStrict = Context.getOrUndefined(api.annotations, HttpApi.QueryParseOptions)?.onExcessProperty === "error"
  if (!isStrict) return
  HttpApi.reflect(api, {
    predicate: ({ group }) => group.identifier === identifier,
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (endpoint.query === undefined) Object.defineProperty(endpoint, "query", { value: noQuery })
    }
  })
}

/** The innermost middleware of every list that has pages: who asks for it is looked up outside of it. */
class ListReads extends HttpApiMiddleware.Service<ListReads>()("turma/platform/http/server/ListReads") {}

const mayReadReplica: typeof ListReads.Service = Effect.provideService(MayReadReplica, true)

/** Lets what the handlers of lists read be read at a replica. Only this api, which is served, has the middleware. */
const readListsAnywhere = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  identifier: string
) =>
  HttpApi.reflect(api, {
    predicate: ({ group }) => group.identifier === identifier,
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (endpoint.method !== "GET" || ![...endpoint.success].some(isPage)) return
      Object.defineProperty(endpoint, "middlewares", { value: new Set([ListReads, ...endpoint.middlewares]) })
    }
  })

/** Builds a layer with the services of these keys alone, and hands it all of them. */
const builtWith = <A, E, R>(
  keys: ReadonlySet<string>,
  layer: (all: Context.Context<never>) => Layer.Layer<A, E, R>
): Layer.Layer<A, E, R> =>
  Layer.effectContext(Effect.contextWith((all: Context.Context<R | Scope.Scope>) =>
    Effect.updateContext(
      Layer.build(layer(all)),
      () => {
        const some = new Map([...all.mapUnsafe].filter(([key]) => keys.has(key)))
        if (keys.has(ListReads.key)) some.set(ListReads.key, mayReadReplica)
        return Context.makeUnsafe<R | Scope.Scope>(some)
      }
    )
  ))

/**
 * `HttpApiBuilder.group`, with cheap requests: the builder merges the context that its layer was built with into that of
 * every request. Here that holds the endpoints' middleware alone, while the handlers are made with all services. The api is
 * one of its own for each group (`versioned`, `closedContractOf`): its endpoints are changed.
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
  refuseQueries(api, identifier)
  readListsAnywhere(api, identifier)
  return builtWith(
    builderKeys(api, identifier),
    (all) =>
      HttpApiBuilder.group<ApiId, Groups, Identifier, Return>(api, identifier, (handlers) => {
        // The builder has read its own context by now, and runs what `build` returns in this one.
        Fiber.getCurrent()?.setContext(all)
        return build(handlers)
      })
  )
}
