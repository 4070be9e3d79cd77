import { DateTime, Effect } from "effect"
import type { ListenerResult } from "../../../webhooks/listener/Listener.ts"
import { harmless, harmlessJson, harmlessLine } from "../../output/Harmless.ts"
import { note, writeLine } from "../../output/Write.ts"
import { indented, readable, typeIn } from "../Printed.ts"
import type { HandedOut } from "./Upstream.ts"

/** How deliveries are printed. */
export interface OutputOptions {
  readonly print: "line" | "body" | "none"
  /** A line of JSON for each delivery, for programs; all else goes to standard error. */
  readonly json: boolean
}

const outcomeIn = ({ error, status_code }: ListenerResult) =>
  status_code === null ? `not reached: ${error ?? "connection"}` : `answered ${status_code}`

const repeated = ({ attempt }: HandedOut) => attempt === 1 ? "" : `, attempt ${attempt}`

/** A delivery, what came of it and when, and whether it was verified, in words. */
interface PrintedDelivery {
  readonly at: DateTime.Utc
  readonly handed: HandedOut
  readonly result: ListenerResult
  readonly verdict: string
}

const lineOf = ({ at, handed, result, verdict }: PrintedDelivery) =>
  `${DateTime.formatIso(at)}  ${harmlessLine(typeIn(handed.body))}  ${verdict}, ${
    outcomeIn(result)
  } in ${result.duration_ms} ms${repeated(handed)}`

const jsonOf = ({ at, handed, result, verdict }: PrintedDelivery, print: OutputOptions["print"]) =>
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

/** The line of a delivery, without characters that a terminal obeys. */
export const printed = (one: PrintedDelivery, { json, print }: OutputOptions): string => {
  if (json) return harmlessJson(jsonOf(one, print))
  return print === "body" ? `${lineOf(one)}\n${harmless(indented(readable(one.handed.body)))}` : lineOf(one)
}

/** Says what is printed of a delivery, and of all else that happens. Fails where nobody reads it any more. */
export const makeOutput = (options: OutputOptions) => ({
  /** That a delivery was forwarded, or why it was not. */
  delivery: Effect.fnUntraced(function*(handed: HandedOut, result: ListenerResult, verdict: string) {
    if (options.print === "none") return
    yield* writeLine(printed({ at: yield* DateTime.now, handed, result, verdict }, options))
  }),
  note: (text: string) => options.json ? note(text) : writeLine(harmless(text))
})
export type ForwardOutput = ReturnType<typeof makeOutput>
