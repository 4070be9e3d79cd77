import { said, spoken } from "../client/Language.ts"

const words = spoken(
  { changed: "Somebody else has changed this meanwhile, and nothing was saved: look at their change first." },
  { changed: "Outra pessoa mudou isto enquanto você editava, e nada foi salvo: veja antes o que ela mudou." }
)

/**
 * Protects a value that is sent whole. If it has changed since the reader saw it, this reads it anew and fails. So
 * nobody undoes another person's change unseen.
 */
export const refuseStale = (seen: string, now: string, again: () => void): void => {
  if (seen === now) return
  again()
  throw new Error(said(words).changed)
}
