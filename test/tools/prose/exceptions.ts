import type { Finding } from "./Kind.ts"

/** A sentence that stays as it is, by its file, the rule and a part of its text. */
export interface Exception extends Pick<Finding, "file" | "rule" | "text"> {
  readonly why: string
}

/** Sentences that stay as they are. One that breaks its rule no longer has to be taken out. */
export const exceptions: ReadonlyArray<Exception> = []
