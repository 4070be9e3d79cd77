/** The text of a file of rows: UTF-8, or Windows-1252, in which spreadsheets write it too. */
export const textOf = (bytes: ArrayBuffer): string => {
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}
