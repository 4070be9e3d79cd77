import { useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { useDraft } from "../../browser/client/Drafts.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { GrowingField } from "./GrowingField.tsx"

const words = spoken(
  { cancel: "Cancel", label: "Your text", save: "Save" },
  { cancel: "Cancelar", label: "Seu texto", save: "Salvar" }
)

interface WordsEditorProps {
  /** The key of the draft. */
  readonly draft: string
  readonly text: string
  readonly maxLength: number
  /** Shows the new words and sends them. The editor opens again with them if that fails. */
  readonly save: (text: string) => void
  readonly close: () => void
}

/** Where somebody changes their own words. */
export const WordsEditor = ({ close, draft, maxLength, save, text }: WordsEditorProps) => {
  const id = useId()
  const kept = useDraft(draft)
  const field = useRef<HTMLTextAreaElement>(null)
  const entered = useSignal(kept.text === "" ? text : kept.text)
  useLayoutEffect(() => field.current?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    const body = entered.peek().trim()
    if (body === "") return
    close()
    if (body === text) kept.clear()
    else save(body)
  }
  const leave = () => {
    kept.clear()
    close()
  }
  return (
    <form class="composer open" onSubmit={submit}>
      <label class="visually-hidden" for={id}>{said(words).label}</label>
      <GrowingField
        field={field}
        id={id}
        rows={3}
        required
        maxLength={maxLength}
        value={entered.value}
        onInput={({ currentTarget: { value } }) => {
          entered.value = value
          kept.set(value)
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event)
          if (event.key === "Escape") leave()
        }}
      />
      <div class="actions">
        <button type="submit">{said(words).save}</button>
        <button type="button" class="quiet" onClick={leave}>{said(words).cancel}</button>
      </div>
    </form>
  )
}
