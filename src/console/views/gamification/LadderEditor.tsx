import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { turma } from "../../client/Api.ts"
import { useDelayed } from "../../client/Delayed.ts"
import { number } from "../../client/Format.ts"
import { said } from "../../client/Language.ts"
import { changed, useRead } from "../../client/Reads.ts"
import { Confirm } from "../../parts/Dialog.tsx"
import { Histogram } from "../../parts/Histogram.tsx"
import { Failure } from "../../parts/States.tsx"
import { draftsOf, isChanged, type KnownLevel, ladderFault, type LevelDraft, levelFaults, limits } from "./ladder.ts"
import { movesOf, payloadOf, pointsOf, thresholdsOf } from "./ladder.ts"
import { LevelFields } from "./LevelFields.tsx"
import { LevelMoves } from "./LevelMoves.tsx"
import type { Spread } from "./spread.ts"
import { words } from "./words.ts"

/** In milliseconds: until whoever types has typed a number. */
const delay = 300

/** Who would move, in a sentence. */
const Moved = ({ spread: { moved_down, moved_up } }: { readonly spread: Spread }) => {
  const [up, down] = [moved_up ?? 0, moved_down ?? 0]
  return up === 0 && down === 0 ? <p>{said(words).nobodyMoves}</p> : (
    <p>
      <strong>{said(words).wouldUp(number(up), up === 1)}</strong>,{" "}
      <strong>{said(words).wouldDown(number(down), down === 1)}</strong>.
    </p>
  )
}

/** How the ladder that was entered would spread students: asked a little after it was entered. */
const useProposal = (clubId: string, thresholds: string | undefined) => {
  const asked = useDelayed(thresholds, delay)
  const read = useRead(
    asked === undefined ? undefined : `${clubId}/gamification/spread?${asked}`,
    (signal) => turma.gamification.spread({ clubId, min_points: asked }, { signal })
  )
  const isCurrent = thresholds !== undefined && asked === thresholds
  return { spread: isCurrent ? read.data?.data : undefined, error: isCurrent ? read.error : undefined }
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

/** Changes a ladder, and shows who would move before it is saved. */
export const LadderEditor = ({ clubId, levels, spread }: EditorProps) => {
  const drafts = useSignal(draftsOf(levels))
  // What the drafts began with: another administrator may save meanwhile.
  const base = useSignal(levels)
  const isSaving = useSignal(false)
  const added = useRef(0)
  const known = drafts.value
  const isDraft = isChanged(base.value, known)
  const isOld = isChanged(levels, draftsOf(base.value))
  const [faults, fault] = [levelFaults(known), ladderFault(known)]
  const proposal = useProposal(clubId, isDraft ? thresholdsOf(known) : undefined)
  const isReady = isDraft && fault === undefined && faults.size === 0 && proposal.spread !== undefined

  const begin = (from: ReadonlyArray<KnownLevel>) => {
    base.value = from
    drafts.value = draftsOf(from)
  }
  if (isOld && !isDraft) begin(levels)
  const set = (draft: LevelDraft) => {
    drafts.value = drafts.peek().map((one) => one.key === draft.key ? draft : one)
  }
  const add = () => {
    const highest = Math.max(0, ...known.map((draft) => pointsOf(draft) ?? 0))
    const points = String(Math.min(limits.points, Math.max(highest * 2, 100)))
    drafts.value = [...drafts.peek(), { key: `new ${++added.current}`, id: undefined, name: "", points }]
  }
  const save = async () => {
    const { data } = await turma.gamification.replaceLevels({ clubId, body: { levels: payloadOf(drafts.peek()) } })
    begin(data.levels)
    changed(`${clubId}/gamification`)
  }

  const shown = proposal.spread
  const moves = movesOf(levels, known, shown ?? spread)
  return (
    <section class="card stack" aria-labelledby="ladder">
      <h2 id="ladder">{said(words).form}</h2>
      <Histogram
        label={said(words).histogram(number(spread.students), spread.students === 1)}
        heads={[said(words).points, said(words).students]}
        steps={(shown ?? spread).histogram}
        lines={levels.map(({ id, min_points, name }) => ({ key: id, name, at: min_points }))}
        proposed={isDraft
          ? known.flatMap((draft) => {
            const at = pointsOf(draft)
            return at === undefined ? [] : [{ key: draft.key, name: draft.name, at }]
          })
          : []}
      />
      {isDraft && <Legend />}
      {isOld && isDraft && (
        <div class="notice waiting row" role="status">
          {said(words).ladderChanged}
          <button type="button" class="quiet" onClick={() => begin(levels)}>{said(words).ladderChangedAction}</button>
        </div>
      )}
      <LevelFields
        drafts={known}
        faults={faults}
        onChange={set}
        onRemove={({ key }) => (drafts.value = drafts.peek().filter((draft) => draft.key !== key))}
      />
      {fault !== undefined && <p class="wrong" role="alert">{said(words)[fault]}</p>}
      <div class="actions">
        <button type="button" class="quiet" disabled={known.length >= limits.levels.most} onClick={add}>
          {said(words).add}
        </button>
        <button type="button" disabled={!isReady} onClick={() => (isSaving.value = true)}>{said(words).open}</button>
        {isDraft && <button type="button" class="quiet" onClick={() => begin(levels)}>{said(words).discard}</button>}
      </div>
      <div class="stack" aria-live="polite">
        {shown !== undefined && <Moved spread={shown} />}
        {isDraft && shown === undefined && thresholdsOf(known) !== undefined && proposal.error === undefined && (
          <p class="soft">{said(words).counting}</p>
        )}
      </div>
      {proposal.error !== undefined && <Failure error={proposal.error} />}
      <LevelMoves
        moves={shown === undefined ? movesOf(levels, draftsOf(levels), spread) : moves}
        isProposed={shown !== undefined}
      />
      {isSaving.value && shown !== undefined && (
        <Confirm
          title={said(words).open}
          action={said(words).open}
          done={said(words).savedLadder}
          work={save}
          onClose={() => (isSaving.value = false)}
        >
          <Moved spread={shown} />
          <p class="soft">{said(words).saveText}</p>
        </Confirm>
      )}
    </section>
  )
}
