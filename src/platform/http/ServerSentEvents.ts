import { Schema, SchemaGetter, SchemaTransformation } from "effect"
import { field } from "./Field.ts"

/** Asks clients that lose the connection to come back after a second. */
export const comeBack = "retry: 1000\n\n"

/** A comment, so that proxies do not take a silent connection for dead. */
export const heartbeat = ": still there\n\n"

/** How a stream of events is answered. Asks proxies not to buffer it. */
export const eventStream = { contentType: "text/event-stream", headers: { "x-accel-buffering": "no" } }

/** One event of a stream: its name, and what it tells, in JSON. `id` describes what clients send as `Last-Event-ID`. */
export const sentEvent = <const Name extends string, Data extends Schema.Top>(
  name: Name,
  about: {
    readonly id: Schema.optionalKey<Schema.String>
    readonly event: string
    readonly data: string
    readonly example: string
  },
  data: Data
) =>
  Schema.Struct({
    id: about.id,
    event: Schema.Literal(name).pipe(field(about.event)),
    // Described before it is parsed, so that the schemas in it stay the ones that they are elsewhere.
    data: Schema.String.pipe(
      field(about.data, about.example),
      Schema.decodeTo(Schema.toCodecJson(data), {
        decode: SchemaGetter.parseJson(),
        encode: SchemaTransformation.fromJsonString().encode
      })
    )
  })
