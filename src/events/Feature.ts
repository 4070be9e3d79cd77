import { Duration, Layer } from "effect"
import { Events } from "./Events.ts"
import { waitingFacts } from "./Outbox.ts"
import { recordedFacts } from "./recordedFacts.ts"

/** Records facts and keeps them in the outbox. */
export const events = {
  services: Events.layer,
  routes: Layer.empty,
  workers: Layer.empty,
  queues: [waitingFacts(Duration.zero)],
  overview: recordedFacts
}
