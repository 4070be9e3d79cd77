import { Effect } from "effect"
import type { Drain, LaneChanges, LaneName } from "../engine/lane/LaneChanges.ts"
import type { QueueCancellation } from "../engine/queue/QueueCancellation.ts"
import type { EndpointsRepo } from "./EndpointsRepo.ts"
import type { EndpointTransition } from "./EndpointTransition.ts"

interface Services {
  readonly cancellation: QueueCancellation["Service"]
  readonly lanes: LaneChanges["Service"]
  readonly repo: EndpointsRepo["Service"]
}

/** Changes the status of an endpoint that is locked, and its lane with it. */
export const applyTransition = Effect.fnUntraced(function*(
  { cancellation, lanes, repo }: Services,
  lane: LaneName,
  transition: Exclude<EndpointTransition, "none" | "refused">,
  drain: Drain | null
) {
  const { club_id, endpoint_id } = lane
  switch (transition) {
    case "enable":
      yield* repo.setStatus(club_id, endpoint_id, "enabled")
      return yield* lanes.enable(lane, drain)
    case "pause":
      yield* repo.setStatus(club_id, endpoint_id, "paused")
      return yield* lanes.suspend(lane)
    case "disable":
      yield* repo.setStatus(club_id, endpoint_id, "disabled")
      yield* lanes.suspend(lane)
      yield* cancellation.begin(lane, "endpoint_disabled")
  }
})
