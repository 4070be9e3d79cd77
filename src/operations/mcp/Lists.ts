import { Effect, Option, Schema } from "effect"
import type { OwnAnswer, OwnRequest } from "./InProcess.ts"
import type { Rights } from "./Rights.ts"
import type { AnswerMessage } from "./Sessionless.ts"

// Lists are the longest answers, and each is the same for all keys that may the same.

/** Number of kept lists of tools, each about 90 KB. The oldest one makes room. */
const mostKept = 32

/** In characters of JSON: what a client says of itself with a message. Whatever is longer is not kept. */
const longestParameters = 2_000

const decodeListing = Schema.decodeUnknownOption(Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.Union([Schema.String, Schema.Int]),
  method: Schema.Literal("tools/list"),
  params: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
}))

const decodeAnswer = Schema
  .decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ result: Schema.Record(Schema.String, Schema.Unknown) })))

const headersOf = ({ headers }: OwnRequest) =>
  Object.entries(headers).toSorted(([one], [other]) => one < other ? -1 : 1)

/** Answers one list of tools as the one before it for the same rights, asked in the same way; whatever else as `answer`. */
export const makeKeptLists = () => {
  const kept = new Map<string, { readonly headers: OwnAnswer["headers"]; readonly result: string }>()

  const keep = (key: string, { body, headers, status }: OwnAnswer) => {
    const made = status === 200 ? decodeAnswer(body) : Option.none()
    if (Option.isNone(made)) return
    const [first] = kept.keys()
    if (kept.size >= mostKept && first !== undefined) kept.delete(first)
    kept.set(key, { headers, result: JSON.stringify(made.value.result) })
  }

  return (rights: Pick<Rights, "acts_as" | "scopes" | "tools">, answer: AnswerMessage) =>
  (request: OwnRequest, message: unknown): Effect.Effect<OwnAnswer> => {
    const listing = decodeListing(message)
    if (Option.isNone(listing)) return answer(request)
    const { id, params = null } = listing.value
    const { acts_as, scopes, tools } = rights
    const asked = JSON.stringify(params)
    if (asked.length > longestParameters) return answer(request)
    const key = JSON.stringify([acts_as, scopes?.toSorted() ?? null, tools, headersOf(request), asked])
    const known = kept.get(key)
    return known === undefined
      ? Effect.tap(answer(request), (made) => Effect.sync(() => keep(key, made)))
      : Effect.succeed({
        status: 200,
        headers: known.headers,
        body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${known.result}}`
      })
  }
}
