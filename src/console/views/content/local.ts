import { millisOf } from "../../client/Time.ts"

/** A moment as a field of a day and a time has it, in the time of whoever looks; empty for none. */
export const localOf = (timestamp: string | null | undefined): string => {
  if (timestamp === null || timestamp === undefined) return ""
  // Swedes write a day as ISO does.
  return new Intl.DateTimeFormat("sv-SE", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit"
  }).format(millisOf(timestamp)).replace(" ", "T")
}
