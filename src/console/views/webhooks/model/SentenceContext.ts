// The inputs of sentences: the rules that build them know neither the reader's language nor the clock.

/** The languages of the console. */
type Language = "en" | "pt-BR"

/** The inputs of a sentence. */
export interface SentenceContext {
  readonly language: Language
  /** A moment as seen from now: `3 minutes ago`. */
  readonly moment: (timestamp: string) => string
  /** A moment by its date and time. */
  readonly time: (timestamp: string) => string
  readonly number: (value: number) => string
  /** In milliseconds since 1970. */
  readonly now: number
}

/** The same in both languages. */
export type Both<W> = Readonly<Record<Language, W>>
