import { Context, type Effect } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { MediaUnknown } from "../../platform/http/errors.ts"
import type { Media, MediaId, MediaPurpose, ShownMedia } from "./Media.ts"

export { MediaUnknown }

/** A record, and the way to show it. */
export interface ShownRecord {
  readonly media: Media
  readonly shown: ShownMedia
}

/** Media for other features: to attach them to a person's text, and to show them. */
export class Attachments extends Context.Service<Attachments, {
  /**
   * Fails unless all of these are ready and may be attached. A student may attach their own uploads for this purpose.
   * The staff (`student_id` null) may attach media of the library. `images`: only images may be attached.
   */
  check(
    club_id: ClubId,
    asked: {
      readonly student_id: StudentId | null
      readonly purpose: MediaPurpose
      readonly ids: ReadonlyArray<MediaId>
      readonly images: boolean
    }
  ): Effect.Effect<void, MediaUnknown>
  /** The way to show each of these, with addresses that work now. Omits removed media. */
  shown(club_id: ClubId, ids: ReadonlyArray<MediaId>): Effect.Effect<ReadonlyMap<MediaId, ShownMedia>>
  /** The records themselves. Omits removed media. */
  records(club_id: ClubId, ids: ReadonlyArray<MediaId>): Effect.Effect<ReadonlyMap<MediaId, Media>>
  /** The same media as in `shown`, with their records. Omits what cannot be opened. */
  shownRecords(club_id: ClubId, ids: ReadonlyArray<MediaId>): Effect.Effect<ReadonlyMap<MediaId, ShownRecord>>
}>()("turma/learning/media/Attachments") {}
