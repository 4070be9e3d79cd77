import { useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { useDraft } from "../../../../browser/client/Drafts.ts"
import { said } from "../../../../browser/client/Language.ts"
import { failureOf } from "../../../../browser/client/Reads.ts"
import type { Refusal } from "../../../../browser/client/Refusals.ts"
import { ActionButton } from "../../../../browser/parts/ActionButton.tsx"
import { Icon } from "../../../../browser/parts/Icon.tsx"
import { RefusalText } from "../../../../browser/parts/RefusalText.tsx"
import { mayMoveFocus } from "../../../club/focus.ts"
import { GrowingField } from "../../../club/GrowingField.tsx"
import { AddImages, ChosenImages } from "../../../club/Images.tsx"
import { useImages } from "../../../club/useImages.ts"
import type { Asking, Limits } from "./useAsk.ts"
import { words } from "./words.ts"

/** The most images of a question. */
const mostImages = 4

const LimitsText = ({ limits }: { readonly limits: Limits }) => {
  if (limits.club_budget_exhausted) return <>{said(words).exhausted}</>
  if (limits.remaining === 0) return <>{said(words).used(limits.resets_at)}</>
  return <>{said(words).left(limits.remaining, limits.daily_limit)}</>
}

/** True if the service takes a question now. */
export const mayAsk = ({ current, limits }: Pick<Asking, "current" | "limits">): boolean =>
  current === undefined && limits !== undefined && limits.remaining > 0 && !limits.club_budget_exhausted

/** Where a student writes a question. The text stays until it has been sent. */
export const QuestionField = ({ asking, lesson }: { readonly asking: Asking; readonly lesson: string }) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft(`lessons/${lesson}/ask`)
  const images = useImages("ask", mostImages)
  const isSending = useSignal(false)
  const failure = useSignal<Refusal | undefined>(undefined)
  // It comes after the panel, once the conversation has been read.
  useLayoutEffect(() => {
    if (field.current?.closest("dialog") instanceof Element) field.current.focus()
  }, [])
  const { current, limits } = asking
  const isReady = mayAsk(asking) && draft.text.trim() !== "" && !images.isSending
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!isReady || isSending.peek()) return
    isSending.value = true
    failure.value = undefined
    try {
      await asking.ask(draft.text.trim(), images.all.flatMap(({ mediaId }) => mediaId ?? []))
      draft.clear()
      images.clear()
    } catch (thrown) {
      failure.value = failureOf(thrown)
    } finally {
      isSending.value = false
      if (mayMoveFocus(form.current)) field.current?.focus()
    }
  }
  return (
    <form class="composer open question" ref={form} onSubmit={submit}>
      <label class="visually-hidden" for={id}>{said(words).field}</label>
      <GrowingField
        field={field}
        id={id}
        rows={1}
        maxLength={4000}
        placeholder={said(words).placeholder}
        aria-describedby={`${id}-limits`}
        // While it is on its way, the question stands in the conversation.
        value={isSending.value ? "" : draft.text}
        readOnly={isSending.value}
        onInput={({ currentTarget }) => draft.set(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void submit(event)
        }}
        onPaste={(event) => {
          const files = event.clipboardData?.files ?? []
          if (files.length === 0) return
          event.preventDefault()
          images.add(files)
        }}
      />
      <ChosenImages images={images} />
      {failure.value !== undefined && (
        <p class="wrong" role="alert">
          {said(words).lost} <RefusalText of={failure.value} />
        </p>
      )}
      <div class="composer-foot">
        <p class="hint" id={`${id}-limits`}>{limits !== undefined && <LimitsText limits={limits} />}</p>
        <div class="actions">
          <AddImages images={images} />
          {current === undefined
            ? (
              <button type="submit" disabled={!isReady}>
                <Icon name="send" />
                {said(words).send}
              </button>
            )
            : (
              <ActionButton isQuiet work={asking.stop}>
                <Icon name="stop" />
                {said(words).stop}
              </ActionButton>
            )}
        </div>
      </div>
    </form>
  )
}
