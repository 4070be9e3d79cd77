import { useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { said } from "../../../browser/client/Language.ts"
import { failureOf } from "../../../browser/client/Reads.ts"
import type { Refusal } from "../../../browser/client/Refusals.ts"
import { RefusalText } from "../../../browser/parts/RefusalText.tsx"
import { MentionField } from "../../club/discussion/MentionField.tsx"
import { useMentions } from "../../club/discussion/useMentions.ts"
import { mayMoveFocus } from "../../club/focus.ts"
import { words } from "./words.ts"

/** The words of a post. */
export interface PostWords {
  readonly title: string | null
  readonly body: string
}

interface PostFormProps {
  /** The key of the draft. */
  readonly draft: string
  /** The words before the change. */
  readonly before?: PostWords
  readonly action: string
  readonly send: (words: PostWords, mentions: Array<string>) => Promise<unknown>
  readonly cancel: () => void
}

/** Where somebody writes a post or changes it. The text stays until it has been sent. */
export const PostForm = ({ action, before, cancel, draft, send }: PostFormProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const title = useDraft(`${draft}/title`)
  const body = useDraft(`${draft}/body`)
  const mentions = useMentions(draft, body, field)
  const isSending = useSignal(false)
  const failure = useSignal<Refusal | undefined>(undefined)
  useLayoutEffect(() => {
    if (before !== undefined && title.text === "" && body.text === "") {
      title.set(before.title ?? "")
      body.set(before.body)
    }
    field.current?.focus()
  }, [])
  useLayoutEffect(() => {
    if (failure.value !== undefined && mayMoveFocus(form.current)) field.current?.focus()
  }, [failure.value])
  const clear = () => {
    title.clear()
    body.clear()
    mentions.clear()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isSending.peek() || body.text.trim() === "") return
    isSending.value = true
    failure.value = undefined
    try {
      const words = { title: title.text.trim() === "" ? null : title.text.trim(), body: body.text.trim() }
      await send(words, mentions.ids())
      clear()
    } catch (thrown) {
      failure.value = failureOf(thrown)
    } finally {
      isSending.value = false
    }
  }
  return (
    <form class="stack post-form" ref={form} onSubmit={submit}>
      <div class="field">
        <label for={`${id}-title`}>{said(words).title}</label>
        <input
          id={`${id}-title`}
          maxLength={200}
          autocomplete="off"
          dir="auto"
          value={title.text}
          onInput={({ currentTarget }) => title.set(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={id}>{said(words).body}</label>
        <MentionField
          id={id}
          field={field}
          kept={body}
          mentions={mentions}
          isOffered={before === undefined}
          submit={submit}
          rows={8}
          required
          maxLength={20_000}
          aria-describedby={`${id}-hint`}
        />
        <p class="hint" id={`${id}-hint`}>{said(words).hint} {said(words).draft}</p>
      </div>
      {failure.value !== undefined && (
        <p class="wrong" role="alert">
          <RefusalText of={failure.value} />
        </p>
      )}
      <div class="actions">
        <button type="submit" aria-busy={isSending.value}>{action}</button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            if (before !== undefined) clear()
            cancel()
          }}
        >
          {said(words).cancel}
        </button>
      </div>
    </form>
  )
}
