import { turma } from "../../../../browser/client/Api.ts"
import { changed, type Read, useRead } from "../../../../browser/client/Reads.ts"
import type { Membership } from "../../../club/Session.ts"
import type { Diagnosis, Endpoint } from "../model/EndpointHealth.ts"

/** The key of everything about the endpoints of a club, or about one of them. */
export const endpointsKey = ({ organization_id }: Membership, ...parts: ReadonlyArray<string>): string =>
  [organization_id, "webhook-endpoints", ...parts].join("/")

/** Reads the data of endpoints anew after a change. */
export const endpointsChanged = (club: Membership): void => changed(endpointsKey(club))

/** All endpoints of a club: it has 20 at most. */
export const useEndpoints = (club: Membership): Read<ReadonlyArray<Endpoint>> =>
  useRead(endpointsKey(club), async (signal) => {
    const { data } = await turma.webhookEndpoints.list({ clubId: club.organization_id, limit: 100 }, { signal })
    return data
  })

/** An endpoint. */
export const useEndpoint = (club: Membership, endpointId: string): Read<Endpoint> =>
  useRead(endpointsKey(club, endpointId), async (signal) => {
    const { data } = await turma.webhookEndpoints.get({ clubId: club.organization_id, endpointId }, { signal })
    return data
  })

/** Why an endpoint is or is not delivering. */
export const useDiagnosis = (club: Membership, endpointId: string): Read<Diagnosis> =>
  useRead(endpointsKey(club, endpointId, "diagnosis"), async (signal) => {
    const { data } = await turma.webhookEndpoints.diagnose({ clubId: club.organization_id, endpointId }, { signal })
    return data
  })

/** Every type of event, with its schema and an example. */
export const useCatalogue = ({ organization_id }: Membership) =>
  useRead(`${organization_id}/webhook-event-types`, async (signal) => {
    const { data } = await turma.webhookEndpoints.eventTypes({ clubId: organization_id }, { signal })
    return data
  })
