import { Context, Effect, Layer, type Scope } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { LessonId } from "./Lesson.ts"

/** The reaction of a feature to lessons with changed text, title or blocks. In the transaction of the change. */
export type LessonReaction = (club_id: ClubId, ids: ReadonlyArray<LessonId>) => Effect.Effect<void>

/** The features that react to changes of lessons. */
export class LessonChanges extends Context.Service<LessonChanges, {
  /** Announces changes of the text, the title or the blocks of these lessons. In the transaction of the change. */
  readonly announce: LessonReaction
}>()("turma/learning/content/LessonChanges") {
  static readonly layer = <E = never, R = never>(
    features: ReadonlyArray<Effect.Effect<LessonReaction, E, R>>
  ): Layer.Layer<LessonChanges, E, Exclude<R, Scope.Scope>> =>
    Layer.effect(
      LessonChanges,
      Effect.map(Effect.all(features), (reactions) =>
        LessonChanges.of({
          announce: (club_id, ids) => Effect.forEach(reactions, (react) => react(club_id, ids), { discard: true })
        }))
    )
}
