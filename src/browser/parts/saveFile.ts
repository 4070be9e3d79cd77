/** In milliseconds: by then a browser has begun to save a file, also one that asks where to. */
const patience = 60_000

/** Has the browser save this text as a file. */
export const saveFile = (text: string, type: string, name: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  // Some browsers read the address only later, and need it then. It ends with the page at the latest.
  setTimeout(() => URL.revokeObjectURL(address), patience)
}
