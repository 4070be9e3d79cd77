import { Effect, Option, type Schema } from "effect"
import { utf8Option } from "../text/Utf8.ts"
import { MalformedRequest, PayloadTooLarge } from "./errors.ts"
import { parseJson, turnFor } from "./json/Json.ts"
import { type Excess, excessOf, mostLevels } from "./json/JsonMarks.ts"

const notText = new MalformedRequest({ error: { message: "The body is not valid JSON: it is not UTF-8 text" } })

const tooHeavy: Record<Excess, PayloadTooLarge> = {
  values: new PayloadTooLarge({ error: { message: "The body has too many values: send fewer at a time" } }),
  levels: new PayloadTooLarge({
    error: { message: `The body has too many lists and objects within one another: at most ${mostLevels}` }
  })
}

/** The text of a JSON body of any size, in a turn of the event loop of its own. `MalformedRequest`: it is not UTF-8. */
export const longText = Effect.fnUntraced(function*(body: Uint8Array): Effect.fn.Return<string, MalformedRequest> {
  yield* turnFor(body.length)
  const text = utf8Option(body)
  return Option.isSome(text) ? text.value : yield* notText
})

/**
 * The text of a JSON body that is small enough to parse at once. Every door that takes JSON uses it. A long body is
 * decoded, checked and returned in separate turns of the event loop. `MalformedRequest`: it is not UTF-8.
 * `PayloadTooLarge`: it has more values, or more levels, than we read.
 */
export const jsonText = Effect.fnUntraced(function*(
  body: Uint8Array
): Effect.fn.Return<string, MalformedRequest | PayloadTooLarge> {
  const text = yield* longText(body)
  const excess = excessOf(text)
  if (excess !== undefined) return yield* tooHeavy[excess]
  yield* turnFor(body.length)
  return text
})

/** The JSON of a body. Fails like `jsonText`, and with `MalformedRequest` if the body is not JSON. */
export const readJson = Effect.fnUntraced(function*(
  body: Uint8Array
): Effect.fn.Return<Schema.Json, MalformedRequest | PayloadTooLarge> {
  const json = parseJson(yield* jsonText(body))
  return Option.isSome(json) ? json.value : yield* new MalformedRequest()
})
