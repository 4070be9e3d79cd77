import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { failureOf } from "../client/Reads.ts"
import type { Refusal } from "../client/Refusals.ts"
import { begun, isTouched, only, rebased, saved, taken, theirs, touched, type Values, withText } from "./Draft.ts"
import { tellDone, tellFailure } from "./Toasts.tsx"

/** The entered values by field of the API's body, and the API's complaints about them. */
export interface Form {
  readonly value: (name: string) => string
  readonly set: (name: string, value: string) => void
  readonly wrong: (name: string) => Refusal | undefined
  readonly isRunning: boolean
  /** True if anything differs from the saved values. */
  readonly isChanged: boolean
  readonly isTouched: (name: string) => boolean
  /** Of a body the fields that were changed: what others change meanwhile stays. */
  readonly changes: <B extends object>(body: B) => Partial<B>
  /** Another person's value of a field that was entered here. */
  readonly theirs: (name: string) => string | undefined
  /** Shows that in place of what was entered. */
  readonly take: (name: string) => void
  /** Sends it. A complaint about a field stands beside it, and any other failure is a message. */
  readonly submit: (event: Event) => Promise<void>
  /** Sends it, and fails if that fails. */
  readonly save: () => Promise<void>
  readonly reset: (values?: Values) => void
}

interface FormOptions {
  readonly values?: Values
  /**
   * The edited record as it was read. After a new read, `values` has the current values. Untouched fields follow, and
   * fields changed elsewhere say so. Undefined for a new record.
   */
  readonly of?: unknown
  readonly send: (value: (name: string) => string) => Promise<unknown>
  /** The message after the form is sent. */
  readonly done?: string
}

/** `levels[2].name: must be …` or `url must be …`: the field, and what is wrong with it. */
const ofField = /^([a-z_]+)[\w.[\]]*(?:: | (?=must ))(.+)$/s

/** The entered values over the edited record, which others may change meanwhile. */
const useDraft = (of: unknown, values: Values) => {
  const draft = useSignal(begun(values))
  const known = useRef(of)
  useLayoutEffect(() => {
    if (of === known.current) return
    known.current = of
    draft.value = rebased(draft.peek(), values)
  }, [of])
  return draft
}

/** A choice that is not a text, over a value that others may change meanwhile. */
export interface Tracked<A> {
  readonly value: A
  readonly set: (value: A) => void
  readonly isChanged: boolean
  /** True if somebody else has changed it to something else. */
  readonly isContested: boolean
  readonly take: () => void
}

/** A field of a form for a value that is not a text. `textOf` decides whether two values are the same. */
export const useTracked = <A>(known: A, textOf: (value: A) => string): Tracked<A> => {
  const text = textOf(known)
  const draft = useDraft(text, { value: text })
  const own = useSignal(known)
  const isChanged = isTouched(draft.value, "value")
  return {
    value: isChanged ? own.value : known,
    set: (value) => {
      own.value = value
      draft.value = withText(draft.peek(), "value", textOf(value))
    },
    isChanged,
    isContested: theirs(draft.value, "value") !== undefined,
    take: () => {
      draft.value = taken(draft.peek(), "value")
    }
  }
}

/** A form that sends what is entered to the API. */
export const useForm = ({ done, of, send, values: initial = {} }: FormOptions): Form => {
  const draft = useDraft(of, initial)
  const wrong = useSignal<Readonly<Record<string, Refusal>>>({})
  const isRunning = useSignal(false)
  const save = async () => {
    const { entered } = draft.peek()
    await send((name) => draft.peek().entered[name] ?? "")
    if (of !== undefined) draft.value = saved(draft.peek(), entered)
    if (done !== undefined) tellDone(done)
  }
  return {
    value: (name) => draft.value.entered[name] ?? "",
    set: (name, text) => {
      draft.value = withText(draft.peek(), name, text)
      if (name in wrong.peek()) wrong.value = {}
    },
    wrong: (name) => wrong.value[name],
    isRunning: isRunning.value,
    isChanged: touched(draft.value).length > 0,
    isTouched: (name) => isTouched(draft.peek(), name),
    changes: (body) => only(body, (name) => isTouched(draft.peek(), name)),
    theirs: (name) => theirs(draft.value, name),
    take: (name) => {
      draft.value = taken(draft.peek(), name)
    },
    reset: (values = {}) => {
      draft.value = begun(values)
      wrong.value = {}
    },
    save,
    submit: async (event) => {
      event.preventDefault()
      if (isRunning.peek()) return
      isRunning.value = true
      wrong.value = {}
      try {
        await save()
      } catch (thrown) {
        const failure = failureOf(thrown)
        const [, field, sentence] = ofField.exec(failure.message) ?? []
        if (failure.status === 422 && field !== undefined && sentence !== undefined && field in draft.peek().entered) {
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

/** The entered text without the spaces around it. Null for an empty one: the API clears the field. */
export const orNull = (text: string): string | null => text.trim() === "" ? null : text.trim()
