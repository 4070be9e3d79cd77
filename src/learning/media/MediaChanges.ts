import { Context, Effect, Layer } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { MediaId } from "./Media.ts"

/** What a feature does about a media record whose file has come. In the transaction that says so. */
export type MediaReaction = (club_id: ClubId, id: MediaId) => Effect.Effect<void>

/** Every feature that follows what a club's files hold. */
export class MediaChanges extends Context.Service<MediaChanges, {
  /** Tells them that the file of this record has come. In the transaction that says so. */
  readonly announce: MediaReaction
}>()("turma/media/MediaChanges") {
  static readonly layer = <E = never, R = never>(
    features: ReadonlyArray<Effect.Effect<MediaReaction, E, R>>
  ): Layer.Layer<MediaChanges, E, R> =>
    Layer.effect(
      MediaChanges,
      Effect.map(Effect.all(features), (reactions) =>
        MediaChanges.of({
          announce: (club_id, id) => Effect.forEach(reactions, (react) => react(club_id, id), { discard: true })
        }))
    )
}
