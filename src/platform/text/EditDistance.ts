/** Number of characters to add, leave out, replace or swap with the next one to get from one text to the other. */
export const editDistance = (from: string, to: string): number => {
  let [before, last]: [ReadonlyArray<number>, ReadonlyArray<number>] = [[], [...to, ""].map((_, index) => index)]
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      next.push(Math.min(
        (last[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity
      ))
    }
    before = last
    last = next
  }
  return last[to.length] ?? 0
}
