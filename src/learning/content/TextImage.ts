/** The most different images of the library that a text of the staff names: its readers get an address for each. */
export const mostImages = 100

/** Stands in the description of such a text. */
export const imageHint = `\`![what it shows](media:…)\` shows an image of the library by its id, at most ${mostImages}`
