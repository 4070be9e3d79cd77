/** The sources of English: pages, the OpenAPI document, string literals in the source, and its comments. */
export type Kind = "pages" | "api" | "messages" | "comments"

/** A sentence that breaks a rule: too long, passive, with a phrase of ours, or with a word that has a simpler one. */
export interface Finding {
  readonly kind: Kind
  readonly file: string
  readonly line: number
  readonly rule: "long" | "passive" | "phrase" | "word"
  readonly message: string
  readonly text: string
}

/** The findings, and the number of sentences of each kind. */
export interface Judged {
  readonly findings: ReadonlyArray<Finding>
  readonly sentences: Partial<Readonly<Record<Kind, number>>>
}
