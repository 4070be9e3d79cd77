import type { Locale } from "../../../platform/http/Locale.ts"
import { english, type Words } from "./English.ts"
import { portuguese } from "./Portuguese.ts"

/** What the pages say, by language. */
export const words: Record<Locale, Words> = { "en": english, "pt-BR": portuguese }
