import { language, said, spoken } from "./Language.ts"
import { ownRefusals, withoutField, wrongFields } from "./RefusalWords.ts"

const words = spoken({ ended: "Your session had ended." }, { ended: "Sua sessão tinha terminado." })

/** The code of a request without a session: the API's own sentence is for programs. */
export const endedCode = "unauthenticated"

/** A failure, kept until a message shows it. */
export interface Refusal {
  readonly code: string
  /** The API's own sentence, in the language that was chosen when it was asked. */
  readonly message: string
}

/** The code of what the page says itself, in the reader's language. */
export const ownCode = "page"

/** A sentence for a reader, and what the API says beside it in English alone. */
export interface Sentence {
  readonly text: string | undefined
  readonly english: string | undefined
}

/** The sentence of a failure. Failures of the page or the client use the current language. */
export const sentenceOf = ({ code, message }: Refusal): Sentence => {
  if (code === endedCode) return { text: said(words).ended, english: undefined }
  if (code === ownCode || language.value === "en") return { text: message, english: undefined }
  if (code === "validation_failed") return { text: wrongFields, english: message }
  const own = Object.hasOwn(ownRefusals, code) ? ownRefusals[code] : undefined
  return { text: own ?? withoutField(message), english: undefined }
}
