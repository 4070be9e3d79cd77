/** A subject that the tabs of this browser share. */
export interface TabSubject {
  readonly tell: (names: ReadonlyArray<string>) => void
}

/** Hears what other tabs tell of this subject, and tells them. */
export const tabSubject = (subject: string, hear: (names: ReadonlyArray<string>) => void): TabSubject => {
  const channel = new BroadcastChannel(`turma-${subject}`)
  channel.addEventListener(
    "message",
    ({ data }: MessageEvent<unknown>) =>
      hear(Array.isArray(data) ? data.filter((name) => typeof name === "string") : [])
  )
  // Only tabs of our own origin hear it.
  return { tell: (names) => channel.postMessage(names) }
}
