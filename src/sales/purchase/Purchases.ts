import { Context, type DateTime, type Effect } from "effect"
import type { ClubId } from "../../clubs/Club.ts"
import type { StudentId } from "../../students/Student.ts"
import type { PlatformKey, SaleFact } from "../platform/Platform.ts"

/** An inbound event that is being processed. */
export interface Told {
  readonly club_id: ClubId
  readonly platform: PlatformKey
  /** The id of its `inbound_events` row. */
  readonly event_id: string
  readonly received_at: DateTime.Utc
  readonly facts: ReadonlyArray<SaleFact>
}

/** What came of an inbound event. */
export interface Settled {
  /** `duplicate`: all of it was known. `unmapped`: no mapping names the product, or the purchase is not known yet. */
  readonly outcome: "processed" | "duplicate" | "unmapped"
  /** Whom it was about. */
  readonly student_id: StudentId | null
  /** Whether that student is removed: what the platform wrote must not be kept. */
  readonly removed: boolean
  /** Names of purchases that are known by now: events that wait for one of them can be processed. */
  readonly known: ReadonlyArray<string>
}

/** Purchases and subscriptions, and the access that follows from them. */
export class Purchases extends Context.Service<Purchases, {
  /**
   * Takes in what a platform told, in the caller's transaction, with the access and the events that follow. Any order and
   * any repetition of facts ends in the same state and the same events.
   */
  settle(told: Told): Effect.Effect<Settled>
}>()("turma/sales/Purchases") {}
