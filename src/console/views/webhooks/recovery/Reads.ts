import { turma } from "../../../../browser/client/Api.ts"
import { useList } from "../../../../browser/client/Lists.ts"
import type { LongList } from "../../../../browser/client/LongList.ts"
import { type Read, useRead } from "../../../../browser/client/Reads.ts"
import type { Membership } from "../../../club/Session.ts"
import type { Recovery } from "../model/Recovery.ts"
import { endpointsKey } from "../parts/Reads.ts"

/** The recoveries of an endpoint, newest first. */
export const useRecoveries = (club: Membership, endpointId: string): LongList<Recovery> =>
  useList(
    `${endpointsKey(club, endpointId)}/recoveries?`,
    ({ cursor, limit, signal }) =>
      turma.webhookRecoveries.list({ clubId: club.organization_id, endpointId, cursor, limit }, { signal })
  )

/** A recovery. */
export const useRecovery = (club: Membership, endpointId: string, recoveryId: string): Read<Recovery> =>
  useRead(endpointsKey(club, endpointId, "recoveries", recoveryId), async (signal) => {
    const params = { clubId: club.organization_id, endpointId, recoveryId }
    const { data } = await turma.webhookRecoveries.get(params, { signal })
    return data
  })
