import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { ofClub } from "../../club/View.ts"
import { words } from "./words.ts"

/** The request to be removed. A mail confirms it, and the team does it. */
export const Removal = ({ email }: { readonly email: string }) => {
  const isAsking = useSignal(false)
  return (
    <section class="card stack" aria-labelledby="leave">
      <h2 id="leave">{said(words).leave}</h2>
      <p class="soft">{said(words).leaveText}</p>
      <div class="actions">
        <button type="button" class="quiet" onClick={() => (isAsking.value = true)}>{said(words).askRemoval}</button>
      </div>
      {isAsking.value && (
        <Confirm
          title={said(words).removalTitle}
          action={said(words).removalAsk}
          done={said(words).removalMailed}
          isDangerous
          work={() => turma.removalRequests.ask(ofClub)}
          onClose={() => (isAsking.value = false)}
        >
          <p>{said(words).removalText(email)}</p>
          <p>{said(words).removalThen}</p>
          <p>{said(words).removalUndone}</p>
        </Confirm>
      )}
    </section>
  )
}
