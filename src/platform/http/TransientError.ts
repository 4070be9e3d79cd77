import { Predicate } from "effect"

/** Marks a failure of an outside service: whether it may be over in a moment. */
export const transient: unique symbol = Symbol.for("turma/platform/http/transient")

/** Whether whatever it was may be over in a moment, so that the same request may pass then. */
export const isTransientError = (failure: unknown): boolean =>
  Predicate.hasProperty(failure, transient) && failure[transient] === true
