/** Whether an address may be gone to: only one that is encrypted. */
export const isSafeAddress = (address: string): boolean => {
  try {
    return new URL(address).protocol === "https:"
  } catch {
    return false
  }
}
