import { Predicate } from "effect"

/** Marks a failure of an outside service: whether it may be over in a moment. */
export const transient: unique symbol = Symbol.for("turma/platform/http/transient")

/** True if the failure may be over in a moment, so the same request may then succeed. */
export const isTransientError = (failure: unknown): boolean =>
  Predicate.hasProperty(failure, transient) && failure[transient] === true
