import { said, spoken } from "../../../../browser/client/Language.ts"

const words = spoken(
  { cancel: "Leave as it is", save: "Save", saved: "Saved" },
  { cancel: "Deixar como está", save: "Salvar", saved: "Salvo" }
)

/** The message after a change is saved. */
export const savedWord = (): string => said(words).saved

/** Saving what was changed, or leaving it as it is. */
export const SaveButtons = ({ isReady, isRunning, onDone }: {
  /** True if there is anything to save. */
  readonly isReady: boolean
  readonly isRunning: boolean
  readonly onDone: () => void
}) => (
  <div class="actions reach">
    <button type="submit" aria-busy={isRunning} disabled={!isReady}>{said(words).save}</button>
    <button type="button" class="quiet" onClick={onDone}>{said(words).cancel}</button>
  </div>
)
