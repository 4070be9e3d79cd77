import { Schema } from "effect"

/** The languages that mails and sentences are written in. */
export const Locale = Schema.Literals(["pt-BR", "en"])
export type Locale = typeof Locale.Type

/** The same words in every language. */
export type InEach<Words> = Readonly<Record<Locale, Words>>

/** A sentence that people read, in every language. It is written once, beside the rule that it is about. */
export type Sentence = InEach<string>
