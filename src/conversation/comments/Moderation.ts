/** A student's comment with more links than this waits for the staff. */
const linkLimit = 3
/** The report with this number makes a comment wait for the staff; later ones do not, since by then the staff knows. */
export const reportLimit = 3

/** Addresses in a text: with a scheme, or beginning with `www.`. */
const linksIn = (body: string): number => body.match(/https?:\/\/\S|(?<!\/)\bwww\.\S/gi)?.length ?? 0

/** Whether words are of the kind that wait for the staff before others see them. */
export const hasManyLinks = (body: string): boolean => linksIn(body) > linkLimit
