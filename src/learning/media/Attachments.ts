import { Context, type Effect } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import type { Media, MediaId, MediaPurpose, ShownMedia } from "./Media.ts"

/** There is none that this person may use for this: unknown, foreign, of somebody else, not ready or not an image. */
export class MediaUnknown extends ApiError<MediaUnknown>()("MediaUnknown", {
  status: 422,
  code: "media_unknown",
  message: "Expected media records that are ready and may be used here"
}) {}

/** What of media other features use: attaching them to what a person writes, and showing them. */
export class Attachments extends Context.Service<Attachments, {
  /**
   * Fails unless all of these are ready and may be attached: for a student what they uploaded for this purpose
   * themselves, for the staff (`student_id` null) what is in the library. `images`: nothing but images.
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
  /** How each of these is shown, with addresses that can be opened now. What was removed is left out. */
  shown(club_id: ClubId, ids: ReadonlyArray<MediaId>): Effect.Effect<ReadonlyMap<MediaId, ShownMedia>>
  /** The records themselves. What was removed is left out. */
  records(club_id: ClubId, ids: ReadonlyArray<MediaId>): Effect.Effect<ReadonlyMap<MediaId, Media>>
}>()("turma/content/media/Attachments") {}
