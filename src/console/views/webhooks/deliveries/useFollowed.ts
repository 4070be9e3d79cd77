import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { session, turma } from "../../../client/Api.ts"
import { isVisible } from "../../../client/Every.ts"
import { rest } from "../../../client/Rest.ts"
import type { Membership } from "../../../client/Session.ts"
import { isWithdrawn } from "../../../client/Withdrawn.ts"
import type { Delivery } from "../model/Explanation.ts"
import type { Filter } from "./Filter.ts"

/** Which deliveries are followed: of an endpoint, or of all. */
export interface Wanted {
  readonly club: Membership
  readonly endpointId: string | undefined
  readonly filter: Filter
}

/** How one hears of what changes: told at once, asked again and again, or not at all. */
export type Following = "asking" | "following" | "resting"

/** As many are told at a time as the API lists at most. */
export const mostTogether = 100

/** What is told together is shown together: until nothing more has come for so long, in milliseconds. */
const together = 60

/** How often it is asked where nothing is told, in milliseconds, and how often before it is tried again. */
const askEvery = 5000
const asksBeforeTrying = 12

const streamOf = ({ club: { organization_id: clubId }, endpointId, filter }: Wanted, signal: AbortSignal) =>
  endpointId === undefined
    ? turma.webhookDeliveries.streamAll({ clubId, limit: mostTogether, ...filter }, { signal })
    : turma.webhookDeliveries.stream({ clubId, endpointId, limit: mostTogether, ...filter }, { signal })

/** A page of the deliveries that are wanted. */
export const pageOf = (
  { club: { organization_id: clubId }, endpointId, filter }: Wanted,
  { cursor, limit, signal }: {
    readonly cursor: string | undefined
    readonly limit: number
    readonly signal: AbortSignal
  }
) =>
  endpointId === undefined
    ? turma.webhookDeliveries.listAll({ clubId, limit, cursor, ...filter }, { signal })
    : turma.webhookDeliveries.list({ clubId, endpointId, limit, cursor, ...filter }, { signal })

interface Teller {
  /** What is told at once: after the first page what has changed, and of more than a page the newest alone. */
  readonly hear: (deliveries: ReadonlyArray<Delivery>) => void
  readonly turn: (following: Following) => void
}

/** Hears the stream until it ends for good, and says why it did. */
const hearStream = async (wanted: Wanted, { hear, turn }: Teller, signal: AbortSignal): Promise<unknown> => {
  let heard: Array<Delivery> = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    const all = heard
    heard = []
    if (all.length > 0 && !signal.aborted) hear(all)
  }
  try {
    for await (const event of streamOf(wanted, signal)) {
      turn("following")
      clearTimeout(timer)
      if (event.event === "delivery") {
        heard.push(event.data)
        timer = setTimeout(flush, together)
      } else flush()
    }
    return undefined
  } catch (thrown) {
    return thrown
  } finally {
    flush()
  }
}

/** A page now and then, so often, unless it is refused: says why the last had no answer. */
const ask = async (wanted: Wanted, teller: Teller, signal: AbortSignal, times: number): Promise<unknown> => {
  await rest(askEvery, signal)
  if (signal.aborted) return undefined
  let failure: unknown
  try {
    const page = await pageOf(wanted, { cursor: undefined, limit: mostTogether, signal })
    if (!signal.aborted) teller.hear(page.data)
  } catch (thrown) {
    failure = thrown
  }
  return times > 1 && !isWithdrawn(failure) ? ask(wanted, teller, signal, times - 1) : failure
}

/** Hears the stream, asks for a while where there is none, and tries again: until it is refused. */
const follow = async (wanted: Wanted, teller: Teller, signal: AbortSignal): Promise<void> => {
  let failure = await hearStream(wanted, teller, signal)
  if (signal.aborted) return
  if (!isWithdrawn(failure)) {
    teller.turn("asking")
    failure = await ask(wanted, teller, signal, asksBeforeTrying)
  }
  if (signal.aborted) return
  if (isWithdrawn(failure)) teller.turn("resting")
  else void follow(wanted, teller, signal)
}

/** Hears of every change of these deliveries while the page can be seen. The first page is told too. */
export const useFollowed = (
  key: string | undefined,
  wanted: Wanted,
  hear: (deliveries: ReadonlyArray<Delivery>) => void
): Following => {
  const following = useSignal<Following>("resting")
  const latest = useRef(hear)
  latest.current = hear
  const isFollowed = key !== undefined && isVisible.value && session.value !== "closed"
  useEffect(() => {
    if (!isFollowed) return undefined
    const controller = new AbortController()
    const teller: Teller = {
      hear: (deliveries) => latest.current(deliveries),
      turn: (next) => {
        if (!controller.signal.aborted) following.value = next
      }
    }
    void follow(wanted, teller, controller.signal)
    return () => {
      controller.abort()
      following.value = "resting"
    }
  }, [key, isFollowed])
  return following.value
}
