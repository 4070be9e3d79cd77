import { type Language, language } from "../../../../browser/client/Language.ts"
import type { Platform } from "../Reads.ts"
import { type PlatformWords, platformWords } from "./platformWords.ts"

/** The words about a platform and their language: the API's own if there are no others. */
export const wordsOf = (platform: Platform): PlatformWords & { readonly lang: Language } => {
  const own = language.value === "en" ? undefined : platformWords[platform.key]
  return own === undefined ? { ...platform, lang: "en" } : { ...own, lang: language.value }
}
