import { Context, Effect, Layer, type Schema } from "effect"
import type { NamedBacklog } from "./readBacklogs.ts"
import type { Backlog } from "./WorkQueue.ts"

/** What a feature shows of how it stands, beside what waits in its queues. Names no person and no address. */
export interface OverviewPart {
  /** What it is called in the overview. */
  readonly name: string
  /** Takes a few milliseconds, however much there is. */
  readonly read: Effect.Effect<Schema.Json>
  /** What it shows there of how much waits, for the metrics of queues. */
  readonly waiting?: Effect.Effect<ReadonlyArray<NamedBacklog>>
}

/** What features show of how they stand, for the overview. */
export class Overviews extends Context.Service<Overviews, {
  readonly queues: ReadonlyArray<Backlog>
  readonly parts: ReadonlyArray<OverviewPart>
}>()("turma/platform/jobs/Overviews") {
  static readonly layer = <E, R>(
    queues: ReadonlyArray<Backlog>,
    parts: ReadonlyArray<Effect.Effect<OverviewPart, E, R>>
  ) => Layer.effect(Overviews, Effect.map(Effect.all(parts), (made) => Overviews.of({ queues, parts: made })))
}
