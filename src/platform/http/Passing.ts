import { Predicate } from "effect"

/** Marks a failure of an outside service: whether it may be over in a moment. */
export const passing: unique symbol = Symbol.for("turma/platform/http/passing")

/** Whether whatever it was may be over in a moment, so that the same request may pass then. */
export const isPassing = (failure: unknown): boolean =>
  Predicate.hasProperty(failure, passing) && failure[passing] === true
