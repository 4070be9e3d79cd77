import { OpenApi } from "effect/http-api"
import { Api } from "../../Api.ts"

/** The document of the contract, wherever it is served. */
export const contractDocument: Readonly<Record<string, unknown>> = { ...OpenApi.fromApi(Api) }
