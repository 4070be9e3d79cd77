import { Context, Effect, Layer } from "effect"
import type { ClubId } from "../ids/ClubId.ts"
import type { StudentId } from "../ids/StudentId.ts"

/** Who is to be forgotten. */
export interface Forgotten {
  readonly club_id: ClubId
  readonly student_id: StudentId
  /** As it is until the removal ends; some things are found by it alone. */
  readonly email: string
}

/** What one feature knows of a person and how it forgets it. Everything runs in the transaction of the removal. */
export interface StudentEraser {
  /**
   * Locks what this feature works on by itself, before the student's row is locked: whoever works holds first that and
   * then the student.
   */
  readonly hold?: (person: Forgotten) => Effect.Effect<void>
  /**
   * The student gets another address: ties to the student, or forgets, what is found by this one alone. In the transaction
   * of the change, after `hold`, with the student locked.
   */
  readonly moved?: (person: Forgotten) => Effect.Effect<void>
  /**
   * When it erases: with the features in their order, once what refers to it is gone (`referred`), or at the very end
   * (`last`), which is for what makes others wait.
   */
  readonly turn?: "referred" | "last"
  /** Deletes or empties; answers how many rows of what, for the receipt, such as `{ sessions: 2 }`. */
  readonly erase: (person: Forgotten) => Effect.Effect<Readonly<Record<string, number>>>
}

const turns = [undefined, "referred", "last"] as const

/** Every feature's eraser, those of one turn in the order of the features. A feature that keeps what a person entered registers its own. */
export class StudentErasers extends Context.Service<StudentErasers, ReadonlyArray<StudentEraser>>()(
  "turma/students/StudentErasers"
) {
  static readonly layer = <Needs extends ReadonlyArray<unknown> | []>(
    features: { readonly [Feature in keyof Needs]: Effect.Effect<StudentEraser, never, Needs[Feature]> }
  ): Layer.Layer<StudentErasers, never, Needs[number]> => {
    const all: ReadonlyArray<Effect.Effect<StudentEraser, never, Needs[number]>> = features
    return Layer.effect(
      StudentErasers,
      Effect.map(
        Effect.all(all),
        (erasers) => turns.flatMap((now) => erasers.filter(({ turn }) => turn === now))
      )
    )
  }
}
