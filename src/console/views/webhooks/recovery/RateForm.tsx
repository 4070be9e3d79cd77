import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import type { Recovery } from "../model/Recovery.ts"
import { limitOf, textOfLimit } from "../model/Typed.ts"
import { endpointsChanged } from "../parts/Reads.ts"

const words = spoken(
  {
    change: "Change",
    changed: "The rate is changed",
    hint: "Empty: as fast as the receiver takes them.",
    rate: "Most per second"
  },
  {
    change: "Mudar",
    changed: "O ritmo foi alterado",
    hint: "Em branco: tão rápido quanto o receptor aceitar.",
    rate: "Quantos por segundo, no máximo"
  }
)

/** How fast a recovery sends from now on. */
export const RateForm = ({ club, of }: { readonly club: Membership; readonly of: Recovery }) => {
  const { change, changed, hint, rate } = said(words)
  const form = useForm({
    of: textOfLimit(of.rate),
    values: { rate: textOfLimit(of.rate) },
    done: changed,
    send: async (value) => {
      await turma.webhookRecoveries.update({
        clubId: club.organization_id,
        endpointId: of.endpoint_id,
        recoveryId: of.id,
        body: { rate: limitOf(value("rate")) }
      })
      endpointsChanged(club)
    }
  })
  return (
    <form class="stack" onSubmit={form.submit}>
      <TextField form={form} name="rate" label={rate} hint={hint} type="number" min={1} max={1000} />
      <div class="actions">
        <button type="submit" class="quiet" aria-busy={form.isRunning} disabled={!form.isChanged}>{change}</button>
      </div>
    </form>
  )
}
