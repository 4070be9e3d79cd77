import { useId } from "preact/hooks"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import type { LevelDraft, LevelFault } from "./ladder.ts"
import { words } from "./words.ts"

const sentenceOf = (fault: LevelFault) =>
  fault === "name" ? said(words).nameFault : fault === "points" ? said(words).pointsFault : said(words).same

const Fields = ({ draft, fault, onChange, onRemove, place }: {
  readonly draft: LevelDraft
  readonly fault: LevelFault | undefined
  readonly place: number
  readonly onChange: (draft: LevelDraft) => void
  readonly onRemove: () => void
}) => {
  const id = useId()
  const wrong = fault === undefined ? undefined : `${id}-wrong`
  return (
    <li class="level">
      <input
        dir="auto"
        aria-label={said(words).levelName(number(place))}
        placeholder={said(words).name}
        value={draft.name}
        aria-invalid={fault === "name"}
        aria-describedby={fault === "name" ? wrong : undefined}
        onInput={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <input
        class="number"
        inputMode="numeric"
        aria-label={said(words).levelPoints(number(place))}
        placeholder={said(words).points}
        value={draft.points}
        aria-invalid={fault === "points" || fault === "same"}
        aria-describedby={fault === "points" || fault === "same" ? wrong : undefined}
        onInput={({ currentTarget }) => onChange({ ...draft, points: currentTarget.value })}
      />
      <button
        type="button"
        class="quiet square"
        aria-label={said(words).remove(draft.name === "" ? number(place) : draft.name)}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
      {fault !== undefined && <p class="wrong" id={wrong}>{sentenceOf(fault)}</p>}
    </li>
  )
}

/** The levels as they are entered. */
export const LevelFields = ({ drafts, faults, onChange, onRemove }: {
  readonly drafts: ReadonlyArray<LevelDraft>
  readonly faults: ReadonlyMap<string, LevelFault>
  readonly onChange: (draft: LevelDraft) => void
  readonly onRemove: (draft: LevelDraft) => void
}) => (
  <>
    <div class="level level-heads soft small" aria-hidden="true">
      <span>{said(words).name}</span>
      <span>{said(words).points}</span>
    </div>
    <ol class="levels">
      {drafts.map((draft, index) => (
        <Fields
          key={draft.key}
          draft={draft}
          fault={faults.get(draft.key)}
          place={index + 1}
          onChange={onChange}
          onRemove={() => onRemove(draft)}
        />
      ))}
    </ol>
  </>
)
