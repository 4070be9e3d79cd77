/** True for streams, which go on until their time is over. A test's clock stands still, so it reads the beginning. */
export const isEndless = (path: string): boolean =>
  /\/(?:(?:webhook-)?deliveries|requests|events)\/stream(?:$|\?)/.test(path)
