import { type Language, language } from "../../../client/Language.ts"
import type { Platform } from "../Reads.ts"
import { type PlatformWords, platformWords } from "./platformWords.ts"

/** What is said of a platform, and in which language: the API's own where there are no other words. */
export const wordsOf = (platform: Platform): PlatformWords & { readonly lang: Language } => {
  const own = language.value === "en" ? undefined : platformWords[platform.key]
  return own === undefined ? { ...platform, lang: "en" } : { ...own, lang: language.value }
}
