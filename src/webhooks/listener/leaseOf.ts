import { Lease } from "../engine/dispatch/Lease.ts"
import type { LaneName } from "../engine/lane/LaneChanges.ts"

/** A listener has its lane for good, under its own id (`LaneChanges.openForListener`). No other lane has such a lease. */
export const leaseOf = ({ club_id, endpoint_id }: LaneName): Lease => ({
  club_id,
  endpoint_id,
  lease_id: Lease.fields.lease_id.make(endpoint_id)
})
