import { useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { failureOf } from "../../../browser/client/Reads.ts"
import type { Refusal } from "../../../browser/client/Refusals.ts"
import { RefusalText } from "../../../browser/parts/RefusalText.tsx"
import { mayMoveFocus } from "../focus.ts"
import { AddImages, ChosenImages } from "../Images.tsx"
import { useImages } from "../useImages.ts"
import type { Sent } from "./calls.ts"
import { MentionField } from "./MentionField.tsx"
import { useMentions } from "./useMentions.ts"

const words = spoken(
  {
    cancel: "Cancel",
    failed: "It was not sent. Your text is still here.",
    hint: "**bold**, _italics_, lists and links work. @ mentions somebody.",
    keys: "Ctrl + Enter sends."
  },
  {
    cancel: "Cancelar",
    failed: "Não foi enviado. Seu texto continua aqui.",
    hint: "**negrito**, _itálico_, listas e links funcionam. @ menciona alguém.",
    keys: "Ctrl + Enter envia."
  }
)

interface ComposerProps {
  /** The key of the draft. */
  readonly draft: string
  readonly label: string
  readonly placeholder: string
  /** The deed, as the button says it. */
  readonly action: string
  /** Shows the comment and sends it. */
  readonly send: (sent: Sent) => Promise<unknown>
  /** Closes the field. Without it the field stays open. */
  readonly close?: () => void
}

/** The most images of a comment. */
const mostImages = 5

/** Where somebody writes a comment or a reply. The text stays until it has been sent. */
export const Composer = ({ action, close, draft, label, placeholder, send }: ComposerProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const kept = useDraft(draft)
  const images = useImages("comment", mostImages)
  const isFocused = useSignal(close !== undefined)
  const isSending = useSignal(false)
  const failure = useSignal<Refusal | undefined>(undefined)
  const mentions = useMentions(draft, kept, field)
  const isOpen = isFocused.value || kept.text !== "" || images.all.length > 0

  useLayoutEffect(() => {
    if (close === undefined) return undefined
    const opener = document.activeElement
    field.current?.focus()
    // Once it closes, the focus goes back to what opened it.
    return () => {
      if (opener instanceof HTMLElement && mayMoveFocus(form.current)) opener.focus({ preventScroll: true })
    }
  }, [])

  const submit = async (event: Event) => {
    event.preventDefault()
    const body = kept.text.trim()
    const media_ids = images.all.flatMap(({ mediaId }) => mediaId ?? [])
    if (body === "" || isSending.peek() || images.isSending) return
    // The button goes with the text. A phone's keyboard stays away.
    const isByKeys = event instanceof SubmitEvent && event.submitter?.matches(":focus-visible") === true
    isSending.value = true
    failure.value = undefined
    mentions.close()
    try {
      await send({ body, mentions: mentions.ids(), media_ids })
      kept.clear()
      mentions.clear()
      images.clear()
      isFocused.value = false
      if (isByKeys && mayMoveFocus(form.current)) field.current?.focus()
      close?.()
    } catch (thrown) {
      failure.value = failureOf(thrown)
    } finally {
      isSending.value = false
    }
  }

  return (
    <form class={isOpen ? "composer open" : "composer"} ref={form} onSubmit={submit}>
      <label class="visually-hidden" for={id}>{label}</label>
      <MentionField
        id={id}
        field={field}
        kept={kept}
        mentions={mentions}
        submit={submit}
        rows={isOpen ? 3 : 1}
        maxLength={5000}
        placeholder={placeholder}
        {
          // While it is on its way, the comment stands in the list.
          ...isSending.value ? { value: "", readOnly: true } : {}
        }
        aria-describedby={isOpen ? `${id}-hint` : undefined}
        onFocus={() => (isFocused.value = true)}
        onPaste={(event) => {
          const files = event.clipboardData?.files ?? []
          if (files.length === 0) return
          event.preventDefault()
          images.add(files)
        }}
      />
      {isOpen && (
        <>
          <ChosenImages images={images} />
          {failure.value !== undefined && (
            <p class="wrong" role="alert">
              {said(words).failed} <RefusalText of={failure.value} />
            </p>
          )}
          <div class="composer-foot">
            <p class="hint" id={`${id}-hint`}>
              {said(words).hint} <span class="keys-hint">{said(words).keys}</span>
            </p>
            <div class="actions">
              <AddImages images={images} />
              {close !== undefined && <button type="button" class="quiet" onClick={close}>{said(words).cancel}</button>}
              <button type="submit" aria-busy={isSending.value || images.isSending} disabled={kept.text.trim() === ""}>
                {action}
              </button>
            </div>
          </div>
        </>
      )}
    </form>
  )
}
