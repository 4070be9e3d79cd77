import { Effect, Option, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { InvalidCursor } from "./Page.ts"

/**
 * Opaque cursors of lists that are not ordered by `id` alone. `place` is what the last row seen has in the order of the
 * list, in JSON; whatever else a client sends as a cursor is `InvalidCursor`.
 */
export const keysetOf = <Place extends Schema.Codec<unknown, unknown>>(place: Place) => {
  const json = Schema.fromJsonString(Schema.toCodecJson(place))
  const decode = Schema.decodeUnknownEffect(json)
  const encode = Schema.encodeEffect(json)

  return {
    /** The place after which the page begins; none for the first page. */
    read: (cursor: string | undefined): Effect.Effect<Option.Option<Place["Type"]>, InvalidCursor> =>
      cursor === undefined
        ? Effect.succeedNone
        : Effect.fromResult(Base64Url.decodeString(cursor)).pipe(
          Effect.flatMap(decode),
          Effect.mapBoth({ onSuccess: Option.some, onFailure: () => new InvalidCursor() })
        ),
    /** The cursor of the page after this place. */
    write: (at: Place["Type"]): Effect.Effect<string> =>
      Effect.map(Effect.orDie(encode(at)), (text) => Base64Url.encode(text))
  }
}
