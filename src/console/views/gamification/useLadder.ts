import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { useDelayed } from "../../../browser/client/Delayed.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { draftsOf, isChanged, type KnownLevel, type LevelDraft, limits, payloadOf, pointsOf } from "./ladder.ts"
import { words } from "./words.ts"

/** In milliseconds: the time to type a number. */
const delay = 300

/** How the ladder that was entered would spread students: asked a little after it was entered. */
export const useProposal = (clubId: string, thresholds: string | undefined) => {
  const asked = useDelayed(thresholds, delay)
  const read = useRead(
    asked === undefined ? undefined : `${clubId}/gamification/spread?${asked}`,
    (signal) => turma.gamification.spread({ clubId, min_points: asked }, { signal })
  )
  const isCurrent = thresholds !== undefined && asked === thresholds
  return { spread: isCurrent ? read.data?.data : undefined, error: isCurrent ? read.error : undefined }
}

/** A ladder while it is changed. */
export interface LadderDraft {
  readonly drafts: ReadonlyArray<LevelDraft>
  readonly isDraft: boolean
  /** True if somebody saved another ladder since this edit started. */
  readonly isOld: boolean
  readonly set: (draft: LevelDraft) => void
  readonly add: () => void
  readonly remove: (draft: LevelDraft) => void
  /** Begins anew with the ladder as it is. */
  readonly begin: () => void
  readonly save: () => Promise<void>
}

/** The edit of a ladder. Until something changes here, it follows the ladder that others save. */
export const useLadder = (clubId: string, levels: ReadonlyArray<KnownLevel>): LadderDraft => {
  const drafts = useSignal(draftsOf(levels))
  const base = useSignal(levels)
  const added = useRef(0)
  const isDraft = isChanged(base.value, drafts.value)
  const begin = (from: ReadonlyArray<KnownLevel>) => {
    base.value = from
    drafts.value = draftsOf(from)
  }
  // At once: what is entered before is not to be undone.
  useLayoutEffect(() => {
    if (!isDraft) begin(levels)
  }, [levels])
  return {
    drafts: drafts.value,
    isDraft,
    isOld: isDraft && isChanged(levels, draftsOf(base.value)),
    set: (draft) => {
      drafts.value = drafts.peek().map((one) => one.key === draft.key ? draft : one)
    },
    add: () => {
      const known = drafts.peek()
      const highest = Math.max(0, ...known.map((draft) => pointsOf(draft) ?? 0))
      const points = String(Math.min(limits.points, Math.max(highest * 2, 100)))
      drafts.value = [...known, { key: `new ${++added.current}`, id: undefined, name: "", points }]
    },
    remove: ({ key }) => {
      drafts.value = drafts.peek().filter((draft) => draft.key !== key)
    },
    begin: () => begin(levels),
    save: async () => {
      // The API replaces the whole ladder. So this refuses to replace a ladder that changed unseen.
      const { data: now } = await turma.gamification.read({ clubId })
      if (isChanged(now.levels, draftsOf(levels))) {
        changed(`${clubId}/gamification`)
        throw new Error(said(words).ladderChanged)
      }
      const { data } = await turma.gamification.replaceLevels({ clubId, body: { levels: payloadOf(drafts.peek()) } })
      begin(data.levels)
      changed(`${clubId}/gamification`)
    }
  }
}
