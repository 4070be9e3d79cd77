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
    en: "Media records must be ready and of a kind accepted here",
    "pt-BR": "O arquivo precisa estar pronto e ser de um tipo aceito aqui."
  }
}) {}

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
}>()("turma/learning/media/Attachments") {}
