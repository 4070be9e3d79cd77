import { Context, type Effect } from "effect"
import type { LaneName } from "../lane/LaneChanges.ts"

/** Disables endpoints that fail. The engine asks; the room of endpoints, which stands on the engine, answers. */
export class FailingEndpoints extends Context.Service<FailingEndpoints, {
  /**
   * Disables the endpoint if it has accepted no delivery for the contract's whole time. The breaker must still have
   * this epoch. True if this call disabled it.
   */
  disable(lane: LaneName, breaker_epoch: number): Effect.Effect<boolean>
}>()("turma/webhooks/engine/dispatch/FailingEndpoints") {}
