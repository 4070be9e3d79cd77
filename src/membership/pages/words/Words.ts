import type { Locale } from "../../../platform/http/Locale.ts"
import { english, type Words } from "./English.ts"
import { portuguese } from "./Portuguese.ts"

/** The words of the pages, by language. */
export const words: Record<Locale, Words> = { "en": english, "pt-BR": portuguese }
