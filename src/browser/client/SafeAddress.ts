/** True if a link may lead to this address. It has to be encrypted. */
export const isSafeAddress = (address: string): boolean => {
  try {
    return new URL(address).protocol === "https:"
  } catch {
    return false
  }
}
