/** True if a receiver had the message before, by its `turma-seen`. Undefined for any value except `1` and `0`. */
export const seenOf = (header: string | null | undefined): boolean | undefined =>
  header === "1" ? true : header === "0" ? false : undefined
