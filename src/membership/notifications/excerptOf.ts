import { oneLine } from "../../platform/mail/Text.ts"
import { plainText } from "../../platform/text/Markdown.ts"

/** The longest excerpt, in characters. */
const longest = 200

/** The beginning of a text in Markdown on one line, as notifications show it; null if there is nothing to see. */
export const excerptOf = (text: string | null): string | null => {
  // Only the beginning is looked at: white space may shrink, and a text may have 20,000 characters.
  const characters = [...oneLine(plainText((text ?? "").slice(0, 2000)))]
  if (characters.length === 0) return null
  return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}…`
}
