import { DateTime, Option, Schema } from "effect"
import { shownText } from "../../platform/text/Utf8.ts"
import { harmless } from "../output/Harmless.ts"

/** A request as the receiver got it. */
export interface Delivery {
  readonly at: DateTime.Utc
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly body: Uint8Array
  /** The result of the signature check, in words. */
  readonly verdict: string
  readonly status: number
}

const Json = Schema.fromJsonString(Schema.Unknown)
const WithType = Schema.fromJsonString(Schema.Struct({ type: Schema.String }))
const decodeJson = Schema.decodeUnknownOption(Json)
const decodeType = Schema.decodeUnknownOption(WithType)

const attemptOf = (timestamp: string) =>
  Option.match(DateTime.make(Number(timestamp) * 1000), {
    onNone: () => timestamp,
    onSome: (moment) => `${timestamp} (${DateTime.formatIso(moment)})`
  })

/** Two spaces in. */
export const indented = (text: string) => text.replaceAll(/^/gm, "  ")

/** The type that a body names. */
export const typeIn = (text: string): string =>
  Option.match(decodeType(text), { onNone: () => "(no type)", onSome: ({ type }) => type })

/** A body as people read JSON. */
export const readable = (text: string): string =>
  Option.match(decodeJson(text), {
    onNone: () => text === "" ? "(no body)" : text,
    onSome: (json) => JSON.stringify(json, undefined, 2)
  })

/** A delivery in plain lines: when, what, whether it is verified, and its body as people read JSON. */
export const printed = ({ at, body, id, status, timestamp, verdict }: Delivery): string => {
  const text = shownText(body)
  return harmless([
    `${DateTime.formatIso(at)}  ${typeIn(text)}  ${verdict}, answered ${status}`,
    `  webhook-id         ${id ?? "(missing)"}`,
    `  webhook-timestamp  ${timestamp === undefined ? "(missing)" : attemptOf(timestamp)}`,
    indented(readable(text))
  ].join("\n"))
}
