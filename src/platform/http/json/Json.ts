import { Effect, Option, type Schema } from "effect"
import { ownTurn } from "../../processes/OwnTurn.ts"
import { utf8Option } from "../../text/Utf8.ts"
import { isLight } from "./JsonMarks.ts"

/** In bytes. Of bodies that are not longer, twenty at once are read in a moment. */
const short = 8192

/** The JSON of a text; `None` if the text is not JSON. */
export const parseJson = Option.liftThrowable((text: string): Schema.Json => JSON.parse(text))

/** The JSON of a text that is fast to read; `None` if the text holds more than that, or is not JSON. */
export const readLightText = (text: string): Option.Option<Schema.Json> =>
  Option.flatMap(Option.liftPredicate(text, isLight), parseJson)

/** The same of a body. */
export const readLightJson = (body: Uint8Array): Option.Option<Schema.Json> =>
  Option.flatMap(utf8Option(body), readLightText)

/** For use before work on a body of so many bytes: a long body waits for a turn of the event loop of its own. */
export const turnFor = (bytes: number): Effect.Effect<void> => bytes > short ? ownTurn : Effect.void
