import { said, spoken } from "../client/Language.ts"

const words = spoken(
  { changed: "Somebody else has changed this meanwhile, and nothing was saved: look at what they made of it first." },
  { changed: "Outra pessoa mudou isto nesse meio-tempo, e nada foi salvo: veja primeiro o que ela fez." }
)

/**
 * Of what is sent as a whole: fails where it is no longer what was seen of it, so that what somebody else has made of it
 * since is not undone unseen, and has it read anew.
 */
export const refuseUnseen = (seen: string, now: string, again: () => void): void => {
  if (seen === now) return
  again()
  throw new Error(said(words).changed)
}
