import { Context, Effect, Layer, type Scope } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { MediaId } from "./Media.ts"

/** The reaction of a feature to the uploaded file of a media record. In the transaction that confirms it. */
export type MediaReaction = (club_id: ClubId, id: MediaId) => Effect.Effect<void>

/** The features that react to uploaded files. */
export class MediaChanges extends Context.Service<MediaChanges, {
  /** Announces that the file of this record has been uploaded. In the transaction that confirms it. */
  readonly announce: MediaReaction
}>()("turma/learning/media/MediaChanges") {
  static readonly layer = <E = never, R = never>(
    features: ReadonlyArray<Effect.Effect<MediaReaction, E, R>>
  ): Layer.Layer<MediaChanges, E, Exclude<R, Scope.Scope>> =>
    Layer.effect(
      MediaChanges,
      Effect.map(Effect.all(features), (reactions) =>
        MediaChanges.of({
          announce: (club_id, id) => Effect.forEach(reactions, (react) => react(club_id, id), { discard: true })
        }))
    )
}
