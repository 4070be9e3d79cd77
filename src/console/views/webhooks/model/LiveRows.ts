// A list that was read, with what was told of it since. Pure.

interface Identified {
  readonly id: string
}

/** What was told of each, by id. */
export type Told<A> = ReadonlyMap<string, A>

/** Those that are newer than the newest that was read, newest first. Greater ids are newer. */
export const newerThan = <A extends Identified>(told: Told<A>, newest: string | undefined): ReadonlyArray<A> =>
  newest === undefined
    ? []
    : [...told.values()].filter(({ id }) => id > newest).toSorted((one, other) => one.id < other.id ? 1 : -1)

/** The item of this row: what is newer stands first, and what was told of the others stands in their place. */
export const rowAt = <A extends Identified>(
  newer: ReadonlyArray<A>,
  read: (row: number) => A | undefined,
  told: Told<A>,
  row: number
): A | undefined => {
  if (row < newer.length) return newer[row]
  const item = read(row - newer.length)
  return item === undefined ? undefined : told.get(item.id) ?? item
}
