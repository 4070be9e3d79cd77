import { Effect } from "effect"
import type { LessonReaction } from "../../../learning/content/LessonChanges.ts"
import type { MediaReaction } from "../../../learning/media/MediaChanges.ts"
import { provideShared } from "../../../platform/provideShared.ts"
import { MaterialChanges } from "./MaterialChanges.ts"

/** Indexes a changed lesson anew. */
export const materialLessonReaction = Effect.map(MaterialChanges, ({ lessons }): LessonReaction => lessons)
  .pipe(provideShared(MaterialChanges.layer))

/** Indexes the lessons that show a file once it has arrived. */
export const materialMediaReaction = Effect.map(MaterialChanges, ({ media }): MediaReaction => media)
  .pipe(provideShared(MaterialChanges.layer))
