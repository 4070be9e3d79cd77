// Which uploads a tab has begun, as it is written down for a reload. Pure: it neither reads nor writes.

/** The marks of a file for when somebody chooses it again, and the person of its upload. */
export interface Chosen {
  readonly clubId: string
  readonly personId: string
  readonly name: string
  readonly size: number
  /** In milliseconds. */
  readonly lastModified: number
}

/** An upload that has started. */
export interface Begun extends Chosen {
  readonly mediaId: string
}

/** Older uploads drop out and start anew. */
export const mostBegun = 50

const isBegun = (value: unknown): value is Begun => {
  if (typeof value !== "object" || value === null) return false
  const found = new Map<string, unknown>(Object.entries(value))
  return ["clubId", "personId", "name", "mediaId"].every((name) => typeof found.get(name) === "string") &&
    ["size", "lastModified"].every((name) => typeof found.get(name) === "number")
}

/** The stored uploads. Empty if the text does not parse. */
export const read = (text: string | null): ReadonlyArray<Begun> => {
  try {
    const value: unknown = JSON.parse(text ?? "[]")
    return Array.isArray(value) ? value.filter(isBegun) : []
  } catch {
    return []
  }
}

/** The last upload of this same file by this person. Skips the records in `taken`. */
export const begunOf = (
  all: ReadonlyArray<Begun>,
  { clubId, lastModified, name, personId, size }: Chosen,
  taken: ReadonlySet<string>
): Begun | undefined =>
  all.findLast((one) =>
    one.clubId === clubId && one.personId === personId && one.name === name && one.size === size &&
    one.lastModified === lastModified && !taken.has(one.mediaId)
  )

/** With one more, which counts last. */
export const withBegun = (all: ReadonlyArray<Begun>, one: Begun): ReadonlyArray<Begun> =>
  [...withoutBegun(all, one.mediaId), one].slice(-mostBegun)

/** Without the one of this record. */
export const withoutBegun = (all: ReadonlyArray<Begun>, mediaId: string): ReadonlyArray<Begun> =>
  all.filter((one) => one.mediaId !== mediaId)
