import { JSONParser } from "@streamparser/json"
import { Effect, Option, type Schema } from "effect"
import { isLight } from "./JsonMarks.ts"

/** In bytes: what is shorter is parsed in a moment, whatever is in it. */
const short = 16_384

/** How much is parsed before others have the processor, in bytes. */
const slice = 8192

const utf8 = new TextDecoder("utf-8", { fatal: true })

const textOf = Option.liftThrowable((body: Uint8Array) => utf8.decode(body))

const parse = Option.liftThrowable((text: string): Schema.Json => JSON.parse(text))

/** The JSON of a body that is read in a moment; none if the body holds more than that, or is not JSON. */
export const readLightJson = (body: Uint8Array): Option.Option<Schema.Json> =>
  Option.flatMap(Option.filter(textOf(body), isLight), parse)

/** What a parser that is given a body bit by bit has read; none where that is no JSON. */
const reader = () => {
  const parser = new JSONParser({ paths: ["$"], keepStack: false })
  let read = Option.none<Schema.Json>()
  let isJson = true
  parser.onValue = ({ value }) => {
    read = Option.fromUndefinedOr(value)
  }
  parser.onError = () => {
    isJson = false
  }
  return {
    write: (bytes: Uint8Array) => {
      if (isJson) parser.write(bytes)
    },
    result: () => isJson ? read : Option.none()
  }
}

const parseInSlices = Effect.fnUntraced(function*(body: Uint8Array) {
  const { result, write } = reader()
  for (let at = 0; at < body.length; at += slice) {
    yield* Effect.yieldNow
    write(body.subarray(at, at + slice))
  }
  return result()
})

const parseLong = Effect.fnUntraced(function*(body: Uint8Array, text: string) {
  yield* Effect.yieldNow
  if (!isLight(text)) return yield* parseInSlices(body)
  yield* Effect.yieldNow
  const json = parse(text)
  yield* Effect.yieldNow
  return json
})

/**
 * The JSON of a body; none if it is not JSON. A long body is parsed in slices between which other fibers run, and deep
 * nesting is not walked by recursion.
 */
export const readJson = (body: Uint8Array): Effect.Effect<Option.Option<Schema.Json>> => {
  const text = textOf(body)
  if (Option.isNone(text)) return Effect.succeedNone
  return body.length < short ? Effect.succeed(parse(text.value)) : parseLong(body, text.value)
}
