import { Context, Effect, Layer, type Schema } from "effect"
import type { NamedBacklog } from "./readBacklogs.ts"
import type { Backlog } from "./WorkQueue.ts"

/** The state of a feature for the overview, beside the work in its queues. Names no person and no address. */
export interface OverviewPart {
  /** The name in the overview. */
  readonly name: string
  /** Takes a few milliseconds, however much there is. */
  readonly read: Effect.Effect<Schema.Json>
  /** Counts the work that waits there, for the metrics of queues. */
  readonly waiting?: Effect.Effect<ReadonlyArray<NamedBacklog>>
}

/** The states of all features, for the overview. */
export class Overviews extends Context.Service<Overviews, {
  readonly queues: ReadonlyArray<Backlog>
  readonly parts: ReadonlyArray<OverviewPart>
}>()("turma/platform/jobs/Overviews") {
  static readonly layer = <E, R>(
    queues: ReadonlyArray<Backlog>,
    parts: ReadonlyArray<Effect.Effect<OverviewPart, E, R>>
  ) => Layer.effect(Overviews, Effect.map(Effect.all(parts), (made) => Overviews.of({ queues, parts: made })))
}
