// Ids in what somebody has pasted. Pure.

const id = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i

/** The first id in it: of a line of a log, or a whole body too. */
export const idIn = (text: string): string | undefined => id.exec(text)?.[0].toLowerCase()
