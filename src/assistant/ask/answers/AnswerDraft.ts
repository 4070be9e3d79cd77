import { Effect } from "effect"
import { makeSignal } from "../../../platform/jobs/Signal.ts"
import type { StoredCitation } from "../../material/search/Citation.ts"
import type { AnswerPart } from "../../providers/Assistant.ts"

/**
 * The part of a growing text that can be stored: without NUL and without half of a surrogate pair. If a first half is
 * at the end, it waits for the second. So the stored text is always a beginning of the later one.
 */
export const storable = (text: string): string =>
  text.replaceAll("\u0000", "").replace(/[\uD800-\uDBFF]$/, "").toWellFormed()

/** The text of an answer so far, and its citations. */
export interface AnswerContent {
  readonly content: string
  readonly citations: ReadonlyArray<StoredCitation>
}

/** The answer that this process is generating. */
export const makeAnswerDraft = Effect.gen(function*() {
  const changes = yield* makeSignal
  let text = ""
  const citations: Array<StoredCitation> = []

  const add = (part: AnswerPart) =>
    Effect.suspend(() => {
      if (part._tag === "Text") text += part.text
      else citations.push(part.citation)
      return changes.notify
    })

  return {
    add,
    /** Ends when something was added since the last time it ended. */
    changed: changes.next,
    /** The answer so far. */
    read: (): AnswerContent => ({
      content: storable(text),
      citations: [...citations]
    })
  }
})
export type AnswerDraft = Effect.Success<typeof makeAnswerDraft>
