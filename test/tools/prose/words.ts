// The findings of `retext-passive` and `retext-simplify` that count. Both lists are tuned to a service's description.

/**
 * Verbs that may be passive.
 *
 * Decision: a passive is a finding if it names its actor ("is read by the worker"), or if its verb is vague ("told").
 * A passive of an exact verb without an actor is accepted ("is signed", "are kept").
 *
 * Why: the reader asks about the delivery, not about the program that sends it, so the delivery is the subject. A vague
 * verb hides both the actor and the action, and an exact one is always at hand.
 *
 * Cost: a passive of an exact verb is not found, even if the active sentence is shorter.
 */
export const acceptedPassives: ReadonlyArray<string> = [
  "bound",
  "bought",
  "built",
  "broken",
  "chosen",
  "drawn",
  "forbidden",
  "forgotten",
  "found",
  "frozen",
  "held",
  "hidden",
  "kept",
  "known",
  "lost",
  "paid",
  "proven",
  "read",
  "run",
  "sent",
  "set",
  "shown",
  "sold",
  "spent",
  "split",
  "spread",
  "stolen",
  "understood",
  "withdrawn",
  "written"
]

/** Words of the API and its field. The simpler word would mean another thing. */
const ofTheField = [
  "address",
  "adjustment",
  "allocate",
  "attempt",
  "component",
  "contains",
  "delete",
  "effect",
  "evaluate",
  "forward",
  "function",
  "implement",
  "initial",
  "interface",
  "maximum",
  "minimum",
  "multiple",
  "notify",
  "option",
  "parameters",
  "permit",
  "previous",
  "provide",
  "purchase",
  "render",
  "request",
  "require",
  "submit",
  "type"
]

/** Openings that plain English has too, as in "it is paused", "there is no limit" and "however long it takes". */
const plain = ["all of", "failed to", "however", "it is", "there are", "there is"]

/** Findings of `retext-simplify` that are ignored. */
export const acceptedWords: ReadonlyArray<string> = [...ofTheField, ...plain]
