import type { RefObject, TextareaHTMLAttributes } from "preact"
import type { Kept } from "../../../browser/client/Drafts.ts"
import { GrowingField } from "../GrowingField.tsx"
import { optionId, PeopleList } from "./PeopleList.tsx"
import type { Mentions } from "./useMentions.ts"

interface MentionFieldProps extends TextareaHTMLAttributes {
  readonly id: string
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly kept: Kept
  readonly mentions: Mentions
  /** False for a text whose mentions do not change. */
  readonly isOffered?: boolean
  /** Ctrl and Enter send the text. */
  readonly submit: (event: Event) => unknown
}

/** A field for a text that may mention people. */
export const MentionField = (
  { field, id, isOffered = true, kept, mentions, submit, ...attributes }: MentionFieldProps
) => {
  const { choose, close, look, marked, people, press } = mentions
  const isOffering = people.length > 0
  const list = `${id}-people`
  return (
    <div class="composer-field">
      <GrowingField
        value={kept.text}
        {...attributes}
        field={field}
        id={id}
        aria-autocomplete={isOffered ? "list" : undefined}
        aria-controls={isOffering ? list : undefined}
        aria-activedescendant={isOffering ? optionId(list, marked) : undefined}
        onInput={({ currentTarget }) => {
          kept.set(currentTarget.value)
          if (isOffered) look(currentTarget.selectionStart)
        }}
        onBlur={close}
        onKeyDown={(event) => {
          if (!press(event) && event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event)
        }}
      />
      {isOffering && <PeopleList id={list} people={people} marked={marked} choose={choose} />}
    </div>
  )
}
