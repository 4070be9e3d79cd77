import { Console, DateTime, Effect } from "effect"
import type { ListenerResult } from "../../../webhooks/listener/Listener.ts"
import { harmless } from "../../output/Harmless.ts"
import { indented, readable, typeIn } from "../Printed.ts"
import type { HandedOut } from "./Upstream.ts"

/** What is printed of each delivery. */
export interface Telling {
  readonly print: "line" | "body" | "none"
  /** A line of JSON for each delivery, for programs; all else goes to standard error. */
  readonly json: boolean
}

const outcomeIn = ({ error, status_code }: ListenerResult) =>
  status_code === null ? `not reached: ${error ?? "connection"}` : `answered ${status_code}`

const repeated = ({ attempt }: HandedOut) => attempt === 1 ? "" : `, attempt ${attempt}`

const lineOf = (at: DateTime.Utc, handed: HandedOut, result: ListenerResult, verdict: string) =>
  `${DateTime.formatIso(at)}  ${typeIn(handed.body)}  ${verdict}, ${outcomeIn(result)} in ${result.duration_ms} ms${
    repeated(handed)
  }`

const jsonOf = (
  at: DateTime.Utc,
  handed: HandedOut,
  result: ListenerResult,
  verdict: string,
  print: Telling["print"]
) =>
  JSON.stringify({
    at: DateTime.formatIso(at),
    event_id: handed.event_id,
    type: typeIn(handed.body),
    delivery_id: handed.delivery_id,
    attempt: handed.attempt,
    verdict,
    status_code: result.status_code,
    error: result.error,
    duration_ms: result.duration_ms,
    ...(print === "body" ? { body: handed.body } : {})
  })

/** Says what is printed of a delivery, and of all else that happens. */
export const makeTell = ({ json, print }: Telling) => ({
  /** That a delivery was forwarded, or why it was not. */
  delivery: Effect.fnUntraced(function*(handed: HandedOut, result: ListenerResult, verdict: string) {
    if (print === "none") return
    const at = yield* DateTime.now
    if (json) return yield* Console.log(jsonOf(at, handed, result, verdict, print))
    const line = harmless(lineOf(at, handed, result, verdict))
    yield* Console.log(print === "body" ? `${line}\n${harmless(indented(readable(handed.body)))}` : line)
  }),
  notice: (text: string) => json ? Console.error(harmless(text)) : Console.log(harmless(text))
})
export type Tell = ReturnType<typeof makeTell>
