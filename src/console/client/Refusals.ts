import { signal } from "@preact/signals"
import { language } from "./Language.ts"

/** What went wrong, as it is kept until it is shown. */
export interface Refusal {
  readonly code: string
  /** The API's own sentence, which is English. */
  readonly message: string
}

/** The code of what the console says itself, in the reader's language. */
export const ownCode = "console"

/** A sentence for a reader, and what the API says beside it where that says more. */
export interface Sentence {
  readonly text: string | undefined
  readonly english: string | undefined
}

interface RefusalWords {
  readonly refusals: Readonly<Record<string, string>>
  readonly unspecific: ReadonlySet<string>
}

const loaded = signal<RefusalWords | undefined>(undefined)
let isLoading = false

const load = async () => {
  if (isLoading) return
  isLoading = true
  try {
    loaded.value = await import("./RefusalWords.ts")
  } catch {
    // Without them the API's own sentences are shown, and the next one asks again.
    isLoading = false
  }
}

/** The sentence of a failure in the language of now. What reads it in a component is shown anew once it is there. */
export const sentenceOf = ({ code, message }: Refusal): Sentence => {
  if (code === ownCode || language.value === "en") return { text: message, english: undefined }
  if (loaded.value === undefined) {
    void load()
    return { text: undefined, english: message }
  }
  const { refusals, unspecific } = loaded.value
  const text = Object.hasOwn(refusals, code) ? refusals[code] : undefined
  return { text, english: text === undefined || unspecific.has(code) ? message : undefined }
}
