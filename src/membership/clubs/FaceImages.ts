import { Context, Effect, Layer, type Option, type Scope } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StorageKey } from "../../platform/storage/Storage.ts"
import type { FaceMediaId } from "./Face.ts"

/** An image of the library. */
export interface FaceImage {
  readonly storage_key: StorageKey
  readonly mime: string
  readonly size_bytes: number
}

/** The library of images, which a feature above registers. */
export interface FaceImageSource {
  /** The ready images of the club's library. */
  readonly find: (club_id: ClubId, id: FaceMediaId) => Effect.Effect<Option.Option<FaceImage>>
  /** The same, and nobody deletes them until the caller's transaction ends. */
  readonly hold: (club_id: ClubId, id: FaceMediaId) => Effect.Effect<Option.Option<FaceImage>>
}

/** Images for the faces of clubs. Without a library, no club has one. */
export class FaceImages extends Context.Service<FaceImages, FaceImageSource>()("turma/membership/clubs/FaceImages") {
  static readonly layer = <E = never, R = never>(
    features: ReadonlyArray<Effect.Effect<FaceImageSource, E, R>>
  ): Layer.Layer<FaceImages, E, Exclude<R, Scope.Scope>> =>
    Layer.effect(
      FaceImages,
      Effect.gen(function*() {
        const [source, ...others] = yield* Effect.all(features)
        if (others.length > 0) return yield* Effect.die(new Error("Two libraries for the images of faces"))
        return source ?? { find: () => Effect.succeedNone, hold: () => Effect.succeedNone }
      })
    )
}
