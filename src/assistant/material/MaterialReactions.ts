import { Effect } from "effect"
import type { LessonReaction } from "../../learning/content/LessonChanges.ts"
import type { MediaReaction } from "../../learning/media/MediaChanges.ts"
import { MaterialChanges } from "./MaterialChanges.ts"

/** A changed lesson is read anew. */
export const readsLessons = Effect.map(MaterialChanges, ({ lessons }): LessonReaction => lessons).pipe(
  Effect.provide(MaterialChanges.layer)
)

/** A file that has come is read for the lessons that show it. */
export const readsMedia = Effect.map(MaterialChanges, ({ media }): MediaReaction => media).pipe(
  Effect.provide(MaterialChanges.layer)
)
