import { useSignal } from "@preact/signals"
import { turma } from "../../../client/Api.ts"
import { said, spoken } from "../../../client/Language.ts"
import type { Membership } from "../../../client/Session.ts"
import { millisOf } from "../../../client/Time.ts"
import { Confirm } from "../../../parts/Dialog.tsx"
import { clock, Countdown } from "../../../parts/Moment.tsx"
import type { Endpoint } from "../model/Standing.ts"
import { SecretShown } from "../settings/SecretShown.tsx"
import { endpointsChanged } from "../standing/Reads.ts"

const words = spoken(
  {
    ask: "Rotate the secret?",
    done: "There is a new secret",
    old: "The earlier secret still signs beside the newest one, for",
    one: "The newest secret alone signs.",
    rotate: "Rotate",
    text:
      "A new secret is made and shown once. The one of now goes on signing beside it for 24 hours, so no event is refused while you change your receiver. Up to five that were replaced sign at a time.",
    title: "Signing secret"
  },
  {
    ask: "Trocar o segredo?",
    done: "Há um segredo novo",
    old: "O segredo anterior ainda assina ao lado do mais novo, por",
    one: "Só o segredo mais novo assina.",
    rotate: "Trocar",
    text:
      "Um segredo novo é criado e mostrado uma vez. O de agora continua assinando ao lado dele por 24 horas, então nenhum evento é recusado enquanto você muda seu receptor. Até cinco substituídos assinam ao mesmo tempo.",
    title: "Segredo de assinatura"
  }
)

/** The secret: whether an earlier one still signs, and replacing it. */
export const Rotation = ({ club, endpoint }: { readonly club: Membership; readonly endpoint: Endpoint }) => {
  const isAsked = useSignal(false)
  const secret = useSignal<string | undefined>(undefined)
  const { ask, done, old, one, rotate, text, title } = said(words)
  const { previous_secret_expires_at: until } = endpoint
  const isOverlapping = until !== null && millisOf(until) > clock.value
  const run = async () => {
    const { data } = await turma.webhookEndpoints.rotateSecret({
      clubId: club.organization_id,
      endpointId: endpoint.id
    })
    secret.value = data.secret
    endpointsChanged(club)
  }
  return (
    <section class="card stack" aria-labelledby="secret">
      <div class="row headed">
        <h2 id="secret">{title}</h2>
        <button type="button" class="quiet" onClick={() => (isAsked.value = true)}>{rotate}</button>
      </div>
      {secret.value !== undefined && <SecretShown secret={secret.value} />}
      <p>
        {isOverlapping
          ? (
            <>
              {old} <Countdown until={until} />
            </>
          )
          : one}
      </p>
      {isAsked.value && (
        <Confirm title={ask} action={rotate} done={done} work={run} onClose={() => (isAsked.value = false)}>
          <p>{text}</p>
        </Confirm>
      )}
    </section>
  )
}
