import { DateTime } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
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

/** What came of one fact. `waits`: it cannot be placed yet. */
export type Part = Waiting | Placed

/** No mapping names the product, or nobody knows the purchase or the person yet. */
export interface Waiting {
  readonly _tag: "Waiting"
}

/** It is part of a purchase or a subscription. */
export interface Placed {
  readonly _tag: "Placed"
  /** Whether anything of it was news. */
  readonly news: boolean
  readonly student_id: StudentId | null
  readonly removed: boolean
  /** Names of purchases and subscriptions that are known by now. */
  readonly known: ReadonlyArray<string>
}

export const waiting: Waiting = { _tag: "Waiting" }

export const placed = (part: Partial<Omit<Placed, "_tag">>): Placed => ({
  _tag: "Placed",
  news: false,
  student_id: null,
  removed: false,
  known: [],
  ...part
})

/** When a fact happened: as the platform says, but never after it was received. */
export const timeIn = ({ received_at }: Told, at: DateTime.Utc | null): DateTime.Utc =>
  at === null ? received_at : DateTime.min(at, received_at)
