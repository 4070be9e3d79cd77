const disjunction = new Intl.ListFormat("en-GB", { type: "disjunction" })

/** These words as a list of alternatives: `owner, admin or support`. */
export const either = (words: Iterable<string>): string => disjunction.format(words)
