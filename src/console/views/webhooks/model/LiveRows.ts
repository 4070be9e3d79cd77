// A list that was read, with the changes since. Greater ids are newer. Pure.

interface Identified {
  readonly id: string
}

/** The last change of each item, by id. */
export type ReceivedItems<A> = ReadonlyMap<string, A>

/** The part of a list that was read, page after page from its beginning. */
export interface Listed {
  readonly ids: ReadonlySet<string>
  /** Empty for an empty list. */
  readonly newest: string
  readonly oldest: string
  /** True once its end was read. */
  readonly isWhole: boolean
}

interface ReadPage<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor?: string | null
}

/** Adds this page. If it is the first, it gives the newest item of the list. */
export const withRead = <A extends Identified>(
  before: Listed | undefined,
  { data, next_cursor }: ReadPage<A>
): Listed => ({
  ids: new Set([...before?.ids ?? [], ...data.map(({ id }) => id)]),
  newest: before?.newest ?? data[0]?.id ?? "",
  oldest: data.at(-1)?.id ?? before?.oldest ?? "",
  isWhole: next_cursor === null || next_cursor === undefined
})

/** Those that are newer than the newest that was read, newest first. */
export const newerThan = <A extends Identified>(
  received: ReceivedItems<A>,
  newest: string | undefined
): ReadonlyArray<A> =>
  newest === undefined
    ? []
    : [...received.values()].filter(({ id }) => id > newest).toSorted((one, other) => one.id < other.id ? 1 : -1)

/** The item of this row. Newer items come first, and changed ones stand in their place. */
export const rowAt = <A extends Identified>(
  newer: ReadonlyArray<A>,
  read: (row: number) => A | undefined,
  received: ReceivedItems<A>,
  row: number
): A | undefined => {
  if (row < newer.length) return newer[row]
  const item = read(row - newer.length)
  return item === undefined ? undefined : received.get(item.id) ?? item
}

/**
 * True if the changes that came together leave a gap before the newest known item. They do if there are `most` of them
 * and all are newer.
 */
export const leavesGap = <A extends Identified>(
  together: ReadonlyArray<A>,
  newestKnown: string | undefined,
  most: number
): boolean => newestKnown !== undefined && together.length >= most && together.every(({ id }) => id > newestKnown)

/** The newest that is known; undefined before anything was read. */
export const newestOf = <A>(received: ReceivedItems<A>, listed: Listed | undefined): string | undefined =>
  listed && [...received.keys()].reduce((newest, id) => id > newest ? id : newest, listed.newest)

/** Those that belong among what was read and were not there then: they have become what the list asks for since. */
export const lateOf = <A extends Identified>(
  received: ReceivedItems<A>,
  listed: Listed | undefined,
  belongs: (item: A) => boolean
): ReadonlyArray<A> =>
  listed === undefined ?
    [] :
    [...received.values()].filter((item) =>
      item.id <= listed.newest && !listed.ids.has(item.id) && (listed.isWhole || item.id >= listed.oldest) &&
      belongs(item)
    )

/** At most `most` changes. It drops changes newer than this bound, which the page does not show, oldest first. */
export const pruned = <A>(received: ReceivedItems<A>, bound: string, most: number): ReceivedItems<A> => {
  const left = new Map(received)
  for (const id of [...received.keys()].filter((id) => id > bound).toSorted()) {
    if (left.size <= most) break
    left.delete(id)
  }
  return left
}
