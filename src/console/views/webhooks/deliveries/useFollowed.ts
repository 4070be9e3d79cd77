import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { session, turma } from "../../../client/Api.ts"
import { isVisible } from "../../../client/Every.ts"
import { rest } from "../../../client/Rest.ts"
import type { Membership } from "../../../client/Session.ts"
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

/** As many at a time as the API lists at most. */
const limit = 100

/** What is told at once is shown together, in milliseconds. */
const together = 60

/** How often it is asked where nothing is told, in milliseconds, and how often before it is tried again. */
const askEvery = 5000
const asksBeforeTrying = 12

const streamOf = ({ club: { organization_id: clubId }, endpointId, filter }: Wanted, signal: AbortSignal) =>
  endpointId === undefined
    ? turma.webhookDeliveries.streamAll({ clubId, limit, ...filter }, { signal })
    : turma.webhookDeliveries.stream({ clubId, endpointId, limit, ...filter }, { signal })

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
  readonly hear: (deliveries: ReadonlyArray<Delivery>) => void
  readonly turn: (following: Following) => void
}

/** Hears the stream until it ends for good. */
const hearStream = async (wanted: Wanted, { hear, turn }: Teller, signal: AbortSignal) => {
  let heard: Array<Delivery> = []
  const flush = () => {
    const all = heard
    heard = []
    if (all.length > 0 && !signal.aborted) hear(all)
  }
  try {
    for await (const event of streamOf(wanted, signal)) {
      turn("following")
      if (event.event !== "delivery") continue
      if (heard.length === 0) setTimeout(flush, together)
      heard.push(event.data)
    }
  } catch {
    // Asking follows, and says what is wrong where something is.
  }
}

/** A page now and then, so often. */
const ask = async (wanted: Wanted, teller: Teller, signal: AbortSignal, times: number): Promise<void> => {
  await rest(askEvery, signal)
  if (signal.aborted) return undefined
  const page = await pageOf(wanted, { cursor: undefined, limit, signal }).catch(() => undefined)
  if (page !== undefined && !signal.aborted) teller.hear(page.data)
  return times > 1 ? ask(wanted, teller, signal, times - 1) : undefined
}

/** Hears the stream, asks for a while where there is none, and tries again. */
const follow = async (wanted: Wanted, teller: Teller, signal: AbortSignal): Promise<void> => {
  await hearStream(wanted, teller, signal)
  if (signal.aborted) return
  teller.turn("asking")
  await ask(wanted, teller, signal, asksBeforeTrying)
  if (!signal.aborted) void follow(wanted, teller, signal)
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
