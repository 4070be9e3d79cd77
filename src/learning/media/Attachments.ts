import { Context, type Effect } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import type { Media, MediaId, MediaPurpose, ShownMedia } from "./Media.ts"

/** A media record may not be used here: it is unknown, of another club or person, not ready or not an image. */
export class MediaUnknown extends ApiError<MediaUnknown>()("MediaUnknown", {
  status: 422,
  code: "media_unknown",
  message: {
    en: "Media records must be ready and such as may be used here",
    "pt-BR": "O arquivo precisa estar pronto e ser de um tipo que serve aqui."
  }
}) {}

/** What other features do with media: attach them to what a person writes, and show them. */
export class Attachments extends Context.Service<Attachments, {
  /**
   * Fails unless all of these are ready and may be attached: for a student what they uploaded for this purpose, for the
   * staff (`student_id` null) what is in the library. `images`: only images may be attached.
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
  /** How each of these is shown, with addresses that can be opened now. Removed media are left out. */
  shown(club_id: ClubId, ids: ReadonlyArray<MediaId>): Effect.Effect<ReadonlyMap<MediaId, ShownMedia>>
  /** The records themselves. Removed media are left out. */
  records(club_id: ClubId, ids: ReadonlyArray<MediaId>): Effect.Effect<ReadonlyMap<MediaId, Media>>
}>()("turma/learning/media/Attachments") {}
