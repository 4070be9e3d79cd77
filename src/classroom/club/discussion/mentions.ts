// The names of people in a text that somebody writes. Pure.

/** A person to mention. */
export interface Mentioned {
  readonly id: string
  readonly name: string
}

/** A name that somebody has begun to write after `@`. */
export interface Begun {
  /** The place of the `@`. */
  readonly from: number
  readonly to: number
  readonly query: string
}

// A name may have spaces, so what is written after them belongs to it for a while.
const begun = /(?:^|[\s([{])@([\p{L}\p{N}][^\n@]{0,39})$/u

/** The name before the caret. Undefined if nobody has begun one. It has two letters at least, which the API asks for. */
export const mentionAt = (text: string, caret: number): Begun | undefined => {
  const query = begun.exec(text.slice(0, caret))?.[1]
  if (query === undefined || query.trim().length < 2 || query.split(" ").length > 4) return undefined
  return { from: caret - query.length - 1, to: caret, query: query.trim() }
}

/** The text with the whole name, and the caret after it. */
export const withMention = (
  text: string,
  { from, to }: Pick<Begun, "from" | "to">,
  name: string
): { readonly text: string; readonly caret: number } => {
  const written = `@${name} `
  return { text: text.slice(0, from) + written + text.slice(to).replace(/^ /, ""), caret: from + written.length }
}

/** The most people that a comment mentions. */
const most = 20

/** The ids of the chosen people whose names are still in the text. */
export const mentionsIn = (text: string, chosen: ReadonlyArray<Mentioned>): ReadonlyArray<string> =>
  [
    ...new Set(chosen.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id))
  ].slice(0, most)

const isMentioned = (value: unknown): value is Mentioned =>
  typeof value === "object" && value !== null && "id" in value && "name" in value && typeof value.id === "string" &&
  typeof value.name === "string"

/** The chosen people in a kept text. */
export const chosenIn = (text: string): ReadonlyArray<Mentioned> => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isMentioned) : []
  } catch {
    return []
  }
}
