import { Context } from "effect"
import { OpenApi } from "effect/http-api"

/**
 * The texts of an operation in the API's document, for its `annotateMerge`.
 *
 * @param summary the operation as an order, in a few words: "List the deliveries"
 * @param text what a caller has to know, in sentences; the last one needs no full stop
 */
export const described = (summary: string, text: string): Context.Context<OpenApi.Summary | OpenApi.Description> =>
  Context.make(OpenApi.Summary, summary).pipe(Context.add(OpenApi.Description, text))
