import { turma } from "../../../../browser/client/Api.ts"
import { counted, number } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { ActionButton } from "../../../../browser/parts/ActionButton.tsx"
import { Countdown, Moment } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../../browser/parts/States.tsx"
import { attempt } from "../../../../browser/parts/Toasts.tsx"
import { clubPage, type ClubViewProps, useCommands } from "../../../club/View.ts"
import { administered } from "../parts/Administered.tsx"
import { WebhookTabs } from "../parts/WebhookTabs.tsx"
import { type Inbox, inboxesChanged, useInboxes } from "./Reads.ts"

const words = spoken(
  {
    answers: (status: string) => `answers ${status}`,
    create: "Make an inbox",
    empty: "See a webhook before there is a receiver",
    emptyText:
      "An inbox is an address here that takes any request for an hour. It shows each request, checks its signature, and answers as you choose. An endpoint of the club may have its address.",
    gone: "Gone in",
    lead: (count: number) => counted(count, "1 inbox is open.", `${number(count)} inboxes are open.`),
    made: "Made",
    name: (id: string) => `Inbox ${id}`,
    none: "There is no inbox now.",
    took: (count: number) => counted(count, "1 request came", `${number(count)} requests came`),
    title: "Inboxes"
  },
  {
    answers: (status: string) => `responde ${status}`,
    create: "Criar uma caixa",
    empty: "Veja um webhook antes de ter um receptor",
    emptyText:
      "Uma caixa é um endereço daqui que recebe qualquer requisição por uma hora. Ela mostra o que chegou, confere a assinatura e responde como você escolher. Um endpoint do clube pode usar o endereço dela.",
    gone: "Some em",
    lead: (count: number) => counted(count, "1 caixa aberta.", `${number(count)} caixas abertas.`),
    made: "Criada",
    name: (id: string) => `Caixa ${id}`,
    none: "Não há caixas agora.",
    took: (count: number) => counted(count, "1 requisição recebida", `${number(count)} requisições recebidas`),
    title: "Caixas de teste"
  }
)

/** The pause between two reads of the page's data, in milliseconds. */
const readEvery = 5000

/** The part of an inbox's id that tells it from four others. */
export const inboxName = ({ id }: Inbox): string => said(words).name(id.slice(-6))

const Row = ({ club, inbox }: Pick<ClubViewProps, "club"> & { readonly inbox: Inbox }) => {
  const { answers, gone, made, took } = said(words)
  return (
    <li class="endpoint">
      <div class="about">
        <a class="name" href={clubPage(club, "webhooks", "inboxes", inbox.id)}>{inboxName(inbox)}</a>
        <p class="soft small">
          {made} <Moment at={inbox.created_at} />, {answers(String(inbox.status))}
        </p>
      </div>
      <span class="number">{took(inbox.received)}</span>
      <span class="depth">
        <span class="soft small">{gone}</span> <Countdown until={inbox.expires_at} />
      </span>
    </li>
  )
}

const Inboxes = ({ club }: ClubViewProps) => {
  const inboxes = useInboxes(club)
  useInterval(readEvery, inboxes.reload)
  const { create, empty, emptyText, lead, none, title } = said(words)
  const make = async () => {
    const { data } = await turma.webhookInboxes.create({ clubId: club.organization_id, body: {} })
    inboxesChanged(club)
    go(clubPage(club, "webhooks", "inboxes", data.id))
  }
  useCommands([{ label: create, keys: "n", run: () => void attempt(make) }])
  const button = <ActionButton work={make}>{create}</ActionButton>
  const isEmpty = inboxes.data?.length === 0
  return (
    <>
      <PageHead title={title} actions={isEmpty ? undefined : button}>
        {inboxes.data !== undefined && <p>{isEmpty ? none : lead(inboxes.data.length)}</p>}
      </PageHead>
      <WebhookTabs club={club} />
      <Shown read={inboxes}>
        {(all) =>
          all.length === 0
            ? <Empty title={empty} action={button}>{emptyText}</Empty>
            : (
              <ul class="endpoints" aria-label={title}>
                {all.map((inbox) => <Row key={inbox.id} club={club} inbox={inbox} />)}
              </ul>
            )}
      </Shown>
    </>
  )
}

/** The inboxes of a club: addresses that show what is sent to them. */
export default administered(Inboxes)
