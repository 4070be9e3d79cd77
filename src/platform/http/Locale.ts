import { Schema } from "effect"

/** The languages that mails are written in. */
export const Locale = Schema.Literals(["pt-BR", "en"])
export type Locale = typeof Locale.Type
