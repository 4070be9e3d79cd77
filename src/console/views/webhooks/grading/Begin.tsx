import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"
import { type Endpoint, nameOf } from "../model/EndpointHealth.ts"
import { endpointsChanged } from "../parts/Reads.ts"

const words = spoken(
  {
    action: "Send the probes",
    grade: "Grade the receiver",
    text:
      "12 test events go to it, one after the other. Five are wrong on purpose: a wrong signature, no signature, another body, too old, ahead of time. A correct receiver refuses those five and accepts the others.",
    textOfRest:
      "They are marked as tests and are not deliveries. Its history and its hold stay as they are. A club may do this 6 times an hour.",
    title: "Grade this receiver?"
  },
  {
    action: "Enviar os testes",
    grade: "Avaliar o receptor",
    text:
      "12 eventos de teste são enviados, um após o outro. Cinco estão errados de propósito: assinatura errada, sem assinatura, corpo trocado, antigo demais, com horário adiantado. Um receptor correto recusa esses cinco e aceita os outros.",
    textOfRest:
      "Eles vão marcados como testes e não contam como envios. O histórico e a retenção do endpoint não mudam. Um clube pode fazer isto 6 vezes por hora.",
    title: "Avaliar este receptor?"
  }
)

/** Has a receiver graded, once somebody has said so. */
export const Begin = ({ club, endpoint }: { readonly club: Membership; readonly endpoint: Endpoint }) => {
  const isAsked = useSignal(false)
  const { action, grade, text, textOfRest, title } = said(words)
  const begin = async () => {
    const params = { clubId: club.organization_id, endpointId: endpoint.id }
    const { data } = await turma.webhookGradings.begin(params)
    endpointsChanged(club)
    go(clubPage(club, "webhooks", endpoint.id, "gradings", data.id))
  }
  return (
    <>
      <button type="button" onClick={() => (isAsked.value = true)}>{grade}</button>
      {isAsked.value && (
        <Confirm title={title} action={action} work={begin} onClose={() => (isAsked.value = false)}>
          <p>
            <strong dir="auto">{nameOf(endpoint)}</strong>
          </p>
          <p>{text}</p>
          <p>{textOfRest}</p>
        </Confirm>
      )}
    </>
  )
}
