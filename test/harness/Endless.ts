/** Streams of deliveries and events go on until their time is over, and the clock of a test stands still: of those the beginning is read. */
export const isEndless = (path: string): boolean => /\/(?:(?:webhook-)?deliveries|events)\/stream(?:$|\?)/.test(path)
