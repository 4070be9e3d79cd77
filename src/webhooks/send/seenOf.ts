/** Whether a receiver had the message before, from its `turma-seen`. Undefined for any value but `1` and `0`. */
export const seenOf = (header: string | null | undefined): boolean | undefined =>
  header === "1" ? true : header === "0" ? false : undefined
