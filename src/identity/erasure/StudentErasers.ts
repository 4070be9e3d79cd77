import { Context, Effect, Layer, type Scope } from "effect"
import type { ClubId } from "../ids/ClubId.ts"
import type { StudentId } from "../ids/StudentId.ts"

/** The person to erase. */
export interface ErasureSubject {
  readonly club_id: ClubId
  readonly student_id: StudentId
  /** The address until the removal ends. Some data is found by nothing else. */
  readonly email: string
}

const turns = [undefined, "referred", "last"] as const

/** How one feature erases what it stores about a person. Everything runs in the transaction of the removal. */
export interface StudentEraser {
  /**
   * Locks the rows that this feature's workers lock before they lock the student. Called before the student's row is
   * locked, so that both lock in the same order.
   */
  readonly lock?: (person: ErasureSubject) => Effect.Effect<void>
  /**
   * The student gets another address. It links rows that only the old address finds to the student, or deletes them.
   * Runs in the transaction of the change, after `lock`, with the student locked.
   */
  readonly addressChanged?: (person: ErasureSubject) => Effect.Effect<void>
  /**
   * The student's address gets another spelling. It links rows that only the old spelling finds to the student. Runs in
   * the transaction of the change, after `lock`, with the student locked.
   */
  readonly addressRespelled?: (person: ErasureSubject) => Effect.Effect<void>
  /**
   * Its turn. By default it erases with the features in their order. `referred` comes after the deletion of all rows
   * that refer to its own. `last` is for erasers whose locks make others wait.
   */
  readonly turn?: typeof turns[number]
  /** Deletes or empties rows; answers how many of each kind, for the receipt, such as `{ sessions: 2 }`. */
  readonly erase: (person: ErasureSubject) => Effect.Effect<Readonly<Record<string, number>>>
}

/**
 * Every feature's eraser, those of one turn in the order of the features. A feature that stores what a person entered
 * registers one.
 */
export class StudentErasers
  extends Context.Service<StudentErasers, ReadonlyArray<StudentEraser>>()("turma/identity/erasure/StudentErasers")
{
  static readonly layer = <R>(
    features: ReadonlyArray<Effect.Effect<StudentEraser, never, R>>
  ): Layer.Layer<StudentErasers, never, Exclude<R, Scope.Scope>> =>
    Layer.effect(
      StudentErasers,
      Effect.map(Effect.all(features), (erasers) => turns.flatMap((now) => erasers.filter(({ turn }) => turn === now)))
    )
}
