/** No name is longer, and one character may become 18. */
const longestName = 1000

/**
 * Text for comparison: without case, accents and surrounding white space. Text that is too long for a name is
 * unchanged.
 */
export const fold = (text: string): string =>
  text.length > longestName
    ? text
    : text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().trim()
