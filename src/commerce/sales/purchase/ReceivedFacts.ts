import { DateTime } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { QueuedWork } from "../../../platform/jobs/QueuedWork.ts"
import type { PlatformKey, SaleFact } from "../platform/Platform.ts"

/** A club on a platform: the ids of purchases and subscriptions are unique in it. */
export interface ClubPlatform {
  readonly club_id: ClubId
  readonly platform: PlatformKey
}

/** The facts of an inbound event that is being processed. */
export interface ReceivedFacts extends ClubPlatform {
  /** The id of its `inbound_events` row. */
  readonly event_id: string
  readonly received_at: DateTime.Utc
  /** The queued work of everything that follows from it. */
  readonly work: QueuedWork
  readonly facts: ReadonlyArray<SaleFact>
}

/** When a fact happened: as the platform says, but never after it was received. */
export const timeOfFact = ({ received_at }: ReceivedFacts, at: DateTime.Utc | null): DateTime.Utc =>
  at === null ? received_at : DateTime.min(at, received_at)
