/** A student's comment with more links than this is pending. */
const linkLimit = 3
/** The report with this number makes a comment pending. Later ones change nothing, because the staff knows by then. */
export const reportLimit = 3

/** Number of addresses in a text: with a scheme, or beginning with `www.`. */
const linksIn = (body: string): number => body.match(/https?:\/\/\S|(?<!\/)\bwww\.\S/gi)?.length ?? 0

/** True if a student's comment has so many links that it is pending. */
export const hasManyLinks = (body: string): boolean => linksIn(body) > linkLimit
