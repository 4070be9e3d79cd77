import { turma } from "../../../../browser/client/Api.ts"
import type { Membership } from "../../../club/Session.ts"
import type { Delivery } from "../model/Explanation.ts"
import { type Following, type Source, useFollowing } from "../parts/useFollowing.ts"
import type { Filter } from "./Filter.ts"

/** Which deliveries are followed: of an endpoint, or of all. */
export interface Wanted {
  readonly club: Membership
  readonly endpointId: string | undefined
  readonly filter: Filter
}

/** The stream sends at most as many at a time as the API lists. */
export const mostTogether = 100

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

const sourceOf = (wanted: Wanted): Source<Delivery> => ({
  stream: async function*(signal) {
    for await (const event of streamOf(wanted, signal)) yield event.event === "delivery" ? event.data : undefined
  },
  page: async (signal) => (await pageOf(wanted, { cursor: undefined, limit: mostTogether, signal })).data
})

/**
 * Hears of every change of these deliveries while the page is visible. It gets the first page, and then the changed
 * deliveries. If more than a page has changed, it gets only the newest.
 */
export const useFollowed = (
  key: string | undefined,
  wanted: Wanted,
  hear: (deliveries: ReadonlyArray<Delivery>) => void
): Following => useFollowing(key, sourceOf(wanted), hear)
