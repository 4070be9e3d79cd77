import { useSignal } from "@preact/signals"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { Histogram } from "../../../browser/parts/Histogram.tsx"
import { Failure } from "../../../browser/parts/States.tsx"
import {
  draftsOf,
  type KnownLevel,
  ladderFault,
  levelFaults,
  limits,
  movesOf,
  pointsOf,
  thresholdsOf
} from "./ladder.ts"
import { LevelFields } from "./LevelFields.tsx"
import { LevelMoves } from "./LevelMoves.tsx"
import type { Spread } from "./spread.ts"
import { type LadderDraft, useLadder, useProposal } from "./useLadder.ts"
import { words } from "./words.ts"

/** The students who would move, in a sentence. */
const Moved = ({ spread: { moved_down, moved_up } }: { readonly spread: Spread }) => {
  const [up, down] = [moved_up ?? 0, moved_down ?? 0]
  return up === 0 && down === 0 ? <p>{said(words).nobodyMoves}</p> : (
    <p>
      <strong>{said(words).wouldUp(number(up), up === 1)}</strong>,{" "}
      <strong>{said(words).wouldDown(number(down), down === 1)}</strong>.
    </p>
  )
}

interface EditorProps {
  readonly clubId: string
  readonly levels: ReadonlyArray<KnownLevel>
  readonly spread: Spread
}

const Legend = () => (
  <ul class="legend">
    <li>
      <span class="sign" aria-hidden="true" />
      {said(words).lineNow}
    </li>
    <li>
      <span class="sign proposed" aria-hidden="true" />
      {said(words).lineProposed}
    </li>
  </ul>
)

/** The students by their points, with the ladder's lines as they are and as they would be. */
const Picture = ({ ladder: { drafts, isDraft }, levels, spread }: {
  readonly ladder: LadderDraft
  readonly levels: ReadonlyArray<KnownLevel>
  readonly spread: Spread
}) => (
  <>
    <Histogram
      label={said(words).histogram(number(spread.students), spread.students === 1)}
      heads={[said(words).points, said(words).students]}
      steps={spread.histogram}
      lines={levels.map(({ id, min_points, name }) => ({ key: id, name, at: min_points }))}
      proposed={(isDraft ? drafts : []).flatMap((draft) => {
        const at = pointsOf(draft)
        return at === undefined ? [] : [{ key: draft.key, name: draft.name, at }]
      })}
    />
    {isDraft && <Legend />}
  </>
)

/** The actions on a changed ladder. */
const Actions = ({ isReady, ladder: { add, begin, drafts, isDraft }, onSave }: {
  readonly ladder: LadderDraft
  readonly isReady: boolean
  readonly onSave: () => void
}) => (
  <div class="actions">
    <button type="button" class="quiet" disabled={drafts.length >= limits.levels.most} onClick={add}>
      {said(words).add}
    </button>
    <button type="button" disabled={!isReady} onClick={onSave}>{said(words).open}</button>
    {isDraft && <button type="button" class="quiet" onClick={begin}>{said(words).discard}</button>}
  </div>
)

/** Changes a ladder, and shows who would move before it is saved. */
export const LadderEditor = ({ clubId, levels, spread }: EditorProps) => {
  const ladder = useLadder(clubId, levels)
  const isSaving = useSignal(false)
  const { begin, drafts, isDraft, isOld } = ladder
  const [faults, fault] = [levelFaults(drafts), ladderFault(drafts)]
  const thresholds = isDraft ? thresholdsOf(drafts) : undefined
  const { error, spread: proposed } = useProposal(clubId, thresholds)
  const isReady = fault === undefined && faults.size === 0 && proposed !== undefined
  return (
    <section class="card stack" aria-labelledby="ladder">
      <h2 id="ladder">{said(words).form}</h2>
      <Picture ladder={ladder} levels={levels} spread={proposed ?? spread} />
      {isOld && (
        <div class="notice waiting row" role="status">
          {said(words).ladderChanged}
          <button type="button" class="quiet" onClick={begin}>{said(words).ladderChangedAction}</button>
        </div>
      )}
      <LevelFields drafts={drafts} faults={faults} onChange={ladder.set} onRemove={ladder.remove} />
      {fault !== undefined && <p class="wrong" role="alert">{said(words)[fault]}</p>}
      <Actions ladder={ladder} isReady={isReady} onSave={() => (isSaving.value = true)} />
      <div class="stack" aria-live="polite">
        {proposed !== undefined && <Moved spread={proposed} />}
        {thresholds !== undefined && proposed === undefined && error === undefined && (
          <p class="soft">{said(words).counting}</p>
        )}
      </div>
      {error !== undefined && <Failure error={error} />}
      <LevelMoves
        moves={proposed === undefined
          ? movesOf(levels, draftsOf(levels), spread)
          : movesOf(levels, drafts, proposed)}
        isProposed={proposed !== undefined}
      />
      {isSaving.value && proposed !== undefined && (
        <Confirm
          title={said(words).open}
          action={said(words).open}
          done={said(words).savedLadder}
          work={ladder.save}
          onClose={() => (isSaving.value = false)}
        >
          <Moved spread={proposed} />
          <p class="soft">{said(words).saveText}</p>
        </Confirm>
      )}
    </section>
  )
}
