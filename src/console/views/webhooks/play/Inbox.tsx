import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { counted, number } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import { CopyButton } from "../../../../browser/parts/Code.tsx"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import { Countdown } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty, Failure, Loading } from "../../../../browser/parts/States.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { nameOf } from "../model/EndpointHealth.ts"
import { type Came, newestFirst, withCome } from "../model/InboxWords.ts"
import { administered } from "../parts/Administered.tsx"
import { useEndpoints } from "../parts/Reads.ts"
import { useFollowing } from "../parts/useFollowing.ts"
import { newEndpointOf } from "../settings/newEndpointOf.ts"
import { AnswerForm } from "./AnswerForm.tsx"
import { inboxName } from "./Inboxes.tsx"
import { type Inbox, inboxesChanged, requestsOf, useInbox } from "./Reads.ts"
import { Request } from "./Request.tsx"

const words = spoken(
  {
    address: "Its address",
    asking: "Read every 5 seconds",
    came: "What came",
    copy: "Copy",
    delete: "Delete",
    deleted: "The inbox is deleted",
    deleteText: (count: number) =>
      `${
        counted(
          count,
          "The request it received is erased",
          `The ${number(count)} requests it received are erased`
        )
      }, and its address stops receiving. An endpoint with that address fails from then on.`,
    deleteTitle: "Delete this inbox?",
    empty: "Nothing has come yet",
    emptyText: "Requests to the address appear here within about a second.",
    following: "Live",
    gone: "It and its requests are erased in",
    inboxes: "Inboxes",
    register: "Register it as an endpoint",
    resting: "Not live",
    text:
      "Send it anything, from anywhere. Anybody who knows the address can write to it. As an endpoint, the inbox gets the events of the club, signed.",
    title: "Inbox",
    took: (count: number) =>
      `${counted(count, "It has received 1 request.", `It has received ${number(count)} requests.`)}${
        count > 100 ? " The newest 100 are kept." : ""
      }`,
    webhooks: "Webhooks"
  },
  {
    address: "O endereço dela",
    asking: "Atualiza a cada 5 segundos",
    came: "O que chegou",
    copy: "Copiar",
    delete: "Excluir",
    deleted: "A caixa foi excluída",
    deleteText: (count: number) =>
      `${
        counted(
          count,
          "A requisição que ela recebeu é apagada",
          `As ${number(count)} requisições que ela recebeu são apagadas`
        )
      }, e o endereço deixa de receber. Um endpoint com esse endereço passa a falhar.`,
    deleteTitle: "Excluir esta caixa?",
    empty: "Nada chegou ainda",
    emptyText: "O que for enviado ao endereço aparece aqui em cerca de um segundo.",
    following: "Ao vivo",
    gone: "Some, com tudo o que recebeu, em",
    inboxes: "Caixas de teste",
    register: "Registrar como endpoint",
    resting: "Parado",
    text:
      "Envie qualquer coisa, de qualquer lugar. Quem conhece o endereço pode enviar para a caixa. Como endpoint, ela recebe os eventos do clube, assinados.",
    title: "Caixa",
    took: (count: number) =>
      `${counted(count, "Recebeu 1 requisição.", `Recebeu ${number(count)} requisições.`)}${
        count > 100 ? " As 100 mais novas ficam guardadas." : ""
      }`,
    webhooks: "Webhooks"
  }
)

/** The pause between two reads of the inbox itself, in milliseconds. */
const readEvery = 5000

const Address = ({ club, inbox }: { readonly club: Membership; readonly inbox: Inbox }) => {
  const { address, copy, gone, register, text } = said(words)
  return (
    <section class="card stack" aria-labelledby="address">
      <h2 id="address">{address}</h2>
      <div class="secret">
        <code>{inbox.url}</code>
        <CopyButton text={inbox.url} what={address} label={copy} />
      </div>
      <p>{text}</p>
      <p>
        <a class="button quiet" href={newEndpointOf(club, inbox.id)}>{register}</a>
      </p>
      <p class="soft">
        {gone} <Countdown until={inbox.expires_at} />
      </p>
    </section>
  )
}

const Came = ({ club, inboxId }: { readonly club: Membership; readonly inboxId: string }) => {
  const came = useSignal<Came>(new Map())
  const endpoints = useEndpoints(club)
  const named = (id: string) => {
    if (endpoints.data === undefined) return "…"
    const found = endpoints.data.find((one) => one.id === id)
    return found === undefined ? undefined : nameOf(found)
  }
  const following = useFollowing(inboxId, requestsOf(club, inboxId), (told) => {
    came.value = withCome(came.peek(), told)
    // The signing endpoint may be newer than the list.
    const signers = told.flatMap(({ signature }) => signature?.endpoint_id ?? [])
    if (signers.some((id) => named(id) === undefined)) endpoints.reload()
  })
  const all = said(words)
  const shown = newestFirst(came.value)
  return (
    <section class="stack" aria-labelledby="came">
      <div class="row">
        <h2 id="came">{all.came}</h2>
        <span role="status">
          <Badge tone={following === "following" ? "good" : "quiet"}>{all[following]}</Badge>
        </span>
      </div>
      {shown.length === 0 ?
        <Empty title={all.empty}>{all.emptyText}</Empty> :
        (
          <ul class="plain-list stack tight" aria-label={all.came}>
            {shown.map((request) => (
              <Request key={request.id} club={club} inboxId={inboxId} of={request} nameOf={named} />
            ))}
          </ul>
        )}
    </section>
  )
}

const Removal = ({ club, inbox }: { readonly club: Membership; readonly inbox: Inbox }) => {
  const isAsked = useSignal(false)
  const { delete: deed, deleted, deleteText, deleteTitle } = said(words)
  const remove = async () => {
    await turma.webhookInboxes.remove({ clubId: club.organization_id, inboxId: inbox.id })
    go(clubPage(club, "webhooks", "inboxes"), { replace: true })
    inboxesChanged(club)
  }
  return (
    <>
      <button type="button" class="quiet" onClick={() => (isAsked.value = true)}>{deed}</button>
      {isAsked.value && (
        <Confirm
          title={deleteTitle}
          action={deed}
          done={deleted}
          isDangerous
          work={remove}
          onClose={() => (isAsked.value = false)}
        >
          <p>{deleteText(inbox.received)}</p>
        </Confirm>
      )}
    </>
  )
}

const InboxPage = ({ club, params: { inbox: inboxId = "" } }: ClubViewProps) => {
  const { data, error, reload } = useInbox(club, inboxId)
  useInterval(error?.status === 404 ? undefined : readEvery, reload)
  const { inboxes, title, took, webhooks } = said(words)
  const above = [
    { label: webhooks, to: clubPage(club, "webhooks") },
    { label: inboxes, to: clubPage(club, "webhooks", "inboxes") }
  ]
  return (
    <>
      <PageHead
        title={data === undefined ? title : inboxName(data)}
        above={above}
        actions={data === undefined ? undefined : <Removal club={club} inbox={data} />}
      >
        {data !== undefined && <p>{took(data.received)}</p>}
      </PageHead>
      {data !== undefined
        ? (
          <>
            <div class="beside">
              <Address club={club} inbox={data} />
              <AnswerForm club={club} inbox={data} />
            </div>
            <Came club={club} inboxId={inboxId} />
          </>
        )
        : error === undefined
        ? <Loading />
        : <Failure error={error} />}
    </>
  )
}

/** An inbox: its address, how it answers, and what comes, as it comes. */
export default administered(InboxPage)
