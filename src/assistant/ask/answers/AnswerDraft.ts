import { Effect, Queue } from "effect"
import type { Citation } from "../../material/search/Citation.ts"
import type { AnswerPart } from "../../providers/Assistant.ts"

/**
 * What can be stored of a text that may go on: no NUL, no half of a character. The first half of one at the end waits for
 * the second, so that what follows continues what was stored.
 */
export const storable = (text: string): string =>
  text.replaceAll("\u0000", "").replace(/[\uD800-\uDBFF]$/, "").toWellFormed()

/** An answer in the making, of one process. */
export const makeDraft = Effect.gen(function*() {
  const changes = yield* Queue.sliding<void>(1)
  let text = ""
  const citations: Array<Citation> = []

  const add = (part: AnswerPart) =>
    Effect.suspend(() => {
      if (part._tag === "Text") text += part.text
      else citations.push(part.citation)
      return Queue.offer(changes, undefined)
    })

  return {
    add,
    /** Ends when there is something that has not been read since. */
    changed: Queue.take(changes),
    /** What there is so far. */
    read: (): { readonly content: string; readonly citations: ReadonlyArray<Citation> } => ({
      content: storable(text),
      citations: [...citations]
    })
  }
})
export type Draft = Effect.Success<typeof makeDraft>
