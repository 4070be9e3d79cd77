/** A stream of deliveries or requests goes on until its time is over, and the clock of a test stands still: of those the beginning is read. */
export const isEndless = (path: string): boolean => /\/(?:(?:webhook-)?deliveries|requests)\/stream(?:$|\?)/.test(path)
