import { useSignal } from "@preact/signals"
import { failureOf } from "../client/Reads.ts"
import type { Refusal } from "../client/Refusals.ts"
import { tellDone, tellFailure } from "./Toasts.tsx"

/** What is entered, by field of the API's body, and what the API says is wrong with it. */
export interface Form {
  readonly value: (name: string) => string
  readonly set: (name: string, value: string) => void
  readonly wrong: (name: string) => Refusal | undefined
  readonly isRunning: boolean
  /** Whether anything differs from what it began with. */
  readonly isChanged: boolean
  /** Sends it. What is wrong with a field is said beside it, everything else as a message. */
  readonly submit: (event: Event) => Promise<void>
  readonly reset: (values?: Readonly<Record<string, string>>) => void
}

interface FormOptions {
  readonly values?: Readonly<Record<string, string>>
  readonly send: (value: (name: string) => string) => Promise<unknown>
  /** What is said when it is done. */
  readonly done?: string
}

/** `levels[2].name: must be …` or `url must be …`: the field, and what is wrong with it. */
const ofField = /^([a-z_]+)[\w.[\]]*(?:: | (?=must ))(.+)$/s

/** A form that sends what is entered to the API. */
export const useForm = ({ done, send, values: initial = {} }: FormOptions): Form => {
  const first = useSignal(initial)
  const entered = useSignal<Readonly<Record<string, string>>>(initial)
  const wrong = useSignal<Readonly<Record<string, Refusal>>>({})
  const isRunning = useSignal(false)
  const value = (name: string) => entered.value[name] ?? ""
  return {
    value,
    set: (name, text) => {
      entered.value = { ...entered.peek(), [name]: text }
      if (name in wrong.peek()) wrong.value = {}
    },
    wrong: (name) => wrong.value[name],
    isRunning: isRunning.value,
    isChanged: Object.entries(entered.value).some(([name, text]) => text !== (first.value[name] ?? "")),
    reset: (values = {}) => {
      first.value = values
      entered.value = values
      wrong.value = {}
    },
    submit: async (event) => {
      event.preventDefault()
      if (isRunning.peek()) return
      isRunning.value = true
      wrong.value = {}
      try {
        await send((name) => entered.peek()[name] ?? "")
        if (done !== undefined) tellDone(done)
      } catch (thrown) {
        const failure = failureOf(thrown)
        const [, field, sentence] = ofField.exec(failure.message) ?? []
        if (failure.status === 422 && field !== undefined && sentence !== undefined && field in entered.peek()) {
          wrong.value = { [field]: { code: failure.code, message: sentence } }
        } else {
          tellFailure(thrown)
        }
      } finally {
        isRunning.value = false
      }
    }
  }
}

/** What was entered, without the spaces around it; null where nothing was, as the API clears a field. */
export const orNull = (text: string): string | null => text.trim() === "" ? null : text.trim()
