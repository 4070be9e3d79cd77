import type { SqlClient, Statement } from "effect/sql"
import { uuids } from "../../../platform/sql/Arrays.ts"
import type { Lease } from "./Lease.ts"

/** The keys of the leases, for `unnest`. */
export const leaseArrays = (leases: ReadonlyArray<Lease>) => ({
  clubs: uuids(leases.map(({ club_id }) => club_id)),
  endpoints: uuids(leases.map(({ endpoint_id }) => endpoint_id)),
  ids: uuids(leases.map(({ lease_id }) => lease_id))
})

/** The leases as rows of `sent`. */
export const sentLeases = (sql: SqlClient.SqlClient, leases: ReadonlyArray<Lease>): Statement.Fragment => {
  const { clubs, endpoints, ids } = leaseArrays(leases)
  return sql`unnest(${clubs}, ${endpoints}, ${ids}) as sent (club_id, endpoint_id, lease_id)`
}
