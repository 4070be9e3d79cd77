// Lists that people put in order. Pure: it neither shows nor sends.

/** The list with what stood at one place at another; the others keep their order. Beyond the ends are the ends. */
export const moved = <A>(list: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  if (from < 0 || from >= list.length) return list
  const place = Math.max(0, Math.min(to, list.length - 1))
  return list.toSpliced(from, 1).toSpliced(place, 0, ...list.slice(from, from + 1))
}

/** The items in the order of these keys. Those without one come last, as they stood. */
export const inOrderOf = <A>(
  items: ReadonlyArray<A>,
  keyOf: (item: A) => string,
  keys: ReadonlyArray<string>
): ReadonlyArray<A> => {
  const places = new Map(keys.map((key, place) => [key, place]))
  const placeOf = (item: A) => places.get(keyOf(item)) ?? keys.length
  return items.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/**
 * The reader's list over the current one, which others may have changed. Items added and removed on either side count.
 * The order is the reader's, if the reader has changed it.
 */
export const mergedOrder = (
  seen: ReadonlyArray<string>,
  made: ReadonlyArray<string>,
  now: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const [before, after, there] = [new Set(seen), new Set(made), new Set(now)]
  const stays = now.filter((key) => after.has(key) || !before.has(key))
  const added = made.filter((key) => !before.has(key) && !there.has(key))
  const isReordered = made.filter((key) => before.has(key)).join("\n") !==
    seen.filter((key) => after.has(key)).join("\n")
  return isReordered ? inOrderOf([...stays, ...added], (key) => key, made) : [...stays, ...added]
}

/** Where something lands that is dragged to this height: after all others whose middle is above. */
export const landingAt = (middles: ReadonlyArray<number>, from: number, height: number): number =>
  middles.filter((middle, place) => place !== from && middle < height).length
