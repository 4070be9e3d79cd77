// Which names a few letters mean. Pure.

const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{Mn}/gu, "").toLowerCase()

/** The rank of a match; lower is better. Undefined if the letters are not there in this order. */
const rankOf = (name: string, wanted: string): number | undefined => {
  const at = name.indexOf(wanted)
  if (at === 0) return 0
  if (at > 0) return /\s/.test(name.charAt(at - 1)) ? 1 : 2
  let from = 0
  for (const letter of wanted) {
    const found = name.indexOf(letter, from)
    if (found === -1) return undefined
    from = found + 1
  }
  return 3
}

/** Keys of entries that stay the same in any order, even if several entries have one name. */
export const keysOf = (all: ReadonlyArray<{ readonly label: string }>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  return all.map(({ label }) => {
    const count = counts.get(label) ?? 0
    counts.set(label, count + 1)
    return `${count} ${label}`
  })
}

/** The entries that match a text, the best first. Accents and capitals make no difference. */
export const matching = <C extends { readonly label: string }>(
  all: ReadonlyArray<C>,
  text: string
): ReadonlyArray<C> => {
  const wanted = plain(text.trim())
  if (wanted === "") return all
  return all
    .flatMap((one) => {
      const rank = rankOf(plain(one.label), wanted)
      return rank === undefined ? [] : [{ one, rank }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ one }) => one)
}
