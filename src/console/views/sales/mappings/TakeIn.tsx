import { turma } from "../../../../browser/client/Api.ts"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import { tellDone } from "../../../../browser/parts/Toasts.tsx"
import type { Membership } from "../../../club/Session.ts"
import { salesChanged } from "../Reads.ts"

const words = spoken(
  {
    done: (count: number) => count === 1 ? "1 sale is being processed" : `${number(count)} sales are being processed`,
    take: (count: number) => count === 1 ? "Take in 1 sale" : `Take in ${number(count)} sales`,
    text: "Buyers get access, new students get a mail with a sign-in link, and your webhooks get the events.",
    title: "Sales waited for this mapping"
  },
  {
    done: (count: number) =>
      count === 1 ? "1 venda está sendo processada" : `${number(count)} vendas estão sendo processadas`,
    take: (count: number) => count === 1 ? "Processar 1 venda" : `Processar ${number(count)} vendas`,
    text:
      "Quem comprou ganha o acesso, alunos novos recebem por e-mail um link para entrar, e seus webhooks recebem os eventos.",
    title: "Vendas aguardavam este mapeamento"
  }
)

/** Puts what waited for a mapping into the queue, and says how many. */
export const takeIn = async (club: Membership, mappingId: string): Promise<void> => {
  const { data } = await turma.productMappings.reprocess({ clubId: club.organization_id, mappingId })
  salesChanged(club)
  tellDone(said(words).done(data.requeued))
}

/** Asks whether to take in what waited for a mapping. */
export const TakeIn = ({ club, mapping: { id, unmapped_events }, onClose }: {
  readonly club: Membership
  readonly mapping: { readonly id: string; readonly unmapped_events: number }
  readonly onClose: () => void
}) => (
  <Confirm
    title={said(words).title}
    action={said(words).take(unmapped_events)}
    onClose={onClose}
    work={() => takeIn(club, id)}
  >
    <p>{said(words).text}</p>
  </Confirm>
)
