import { Schema } from "effect"

/** What a text says as JSON; none where it is none. */
export const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
