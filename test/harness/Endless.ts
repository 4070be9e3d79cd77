/** Streams go on until their time is over, and the clock of a test stands still: of those the beginning is read. */
export const isEndless = (path: string): boolean =>
  /\/(?:(?:webhook-)?deliveries|requests|events)\/stream(?:$|\?)/.test(path)
