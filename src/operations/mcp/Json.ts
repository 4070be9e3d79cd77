import { Schema } from "effect"

/** The JSON of a text; `None` if it is not JSON. */
export const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
