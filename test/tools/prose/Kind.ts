/** Where English comes from: pages, the OpenAPI document, string literals of the source, and its comments. */
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

/** What was found, and in how many sentences. */
export interface Judged {
  readonly findings: ReadonlyArray<Finding>
  readonly sentences: Partial<Readonly<Record<Kind, number>>>
}
