import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"

/** The `servers` of the document of a service at this origin. */
export const serversAt = (origin: URL) => [{ url: origin.href.replace(/\/$/, ""), description: "This service" }]

/** The contract, whose document says that it is served at this origin. */
export const servedAt = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  origin: URL
): HttpApi.HttpApi<Id, Groups> => api.annotate(OpenApi.Servers, serversAt(origin))
