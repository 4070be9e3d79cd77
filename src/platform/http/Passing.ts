import { Predicate } from "effect"

/** What a failure of something outside has that may be over in a moment: whether it may. */
export const passing: unique symbol = Symbol.for("turma/platform/http/passing")

/** Whether whatever it was may be over in a moment, so that the same request may pass then. */
export const isPassing = (failure: unknown): boolean =>
  Predicate.hasProperty(failure, passing) && failure[passing] === true
