import type { ComponentChildren } from "preact"
import { turma } from "../../../../browser/client/Api.ts"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { currentMillis, timestampOf } from "../../../../browser/client/Time.ts"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { Tabs } from "../../../../browser/parts/Tabs.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { Unmapped } from "../mappings/Unmapped.tsx"
import { periodNamed, type Trouble, troublesOf } from "../model/SalesSentence.ts"
import { type Address, salesTabs, useAddresses, useUnmapped } from "../Reads.ts"
import { salesWords } from "../words.ts"
import { EventTable } from "./EventTable.tsx"

const words = spoken(
  {
    connect: "Connect a platform",
    fine: "All sales were processed.",
    failed: (count: number, more: string) =>
      count === 1 ? "1 event failed in the last 7 days." : `${number(count)}${more} events failed in the last 7 days.`,
    last: "The last one came",
    never: "Nothing has come in yet.",
    refusing: (count: number) =>
      count === 1
        ? "1 address refuses everything: it has no secret."
        : `${number(count)} addresses refuse everything: they have no secret.`,
    unconnected: "No sales platform is connected yet.",
    unconnectedText:
      "Create an address and enter it on Hotmart, Kiwify, Stripe, Hubla, Eduzz or your own shop. Then sales give students access by themselves.",
    waiting: (count: number) =>
      count === 1 ? "1 sale waits for a mapping." : `${number(count)} sales wait for a mapping.`
  },
  {
    connect: "Conectar uma plataforma",
    fine: "Todas as vendas foram processadas.",
    failed: (count: number, more: string) =>
      count === 1
        ? "1 evento falhou nos últimos 7 dias."
        : `${number(count)}${more} eventos falharam nos últimos 7 dias.`,
    last: "O último chegou",
    never: "Nada chegou ainda.",
    refusing: (count: number) =>
      count === 1
        ? "1 endereço recusa tudo: não tem segredo."
        : `${number(count)} endereços recusam tudo: não têm segredo.`,
    unconnected: "Nenhuma plataforma de vendas está conectada ainda.",
    unconnectedText:
      "Crie um endereço e informe-o na Hotmart, Kiwify, Stripe, Hubla, Eduzz ou na sua própria loja. As vendas passam a liberar o acesso dos alunos sozinhas.",
    waiting: (count: number) =>
      count === 1 ? "1 venda aguarda mapeamento." : `${number(count)} vendas aguardam mapeamento.`
  }
)

/** So many failures are counted; beyond, that there are more. */
const counted = 100

const useFailed = ({ organization_id: clubId }: Membership) =>
  useRead(`${clubId}/sales/failed`, async (signal) => {
    const since = timestampOf(currentMillis() - (periodNamed("7d") ?? 0))
    const { data, next_cursor } = await turma.inboundEvents.listAll(
      { clubId, outcome: "failed", since, limit: counted },
      { signal }
    )
    return { count: data.length, more: next_cursor === null ? "" : "+" }
  })

const tell = (trouble: Trouble, more: string) => {
  switch (trouble.kind) {
    case "unconnected":
      return said(words).unconnected
    case "failed":
      return said(words).failed(trouble.count, more)
    case "waiting":
      return said(words).waiting(trouble.count)
    case "refusing":
      return said(words).refusing(trouble.count)
  }
}

const lastOf = (addresses: ReadonlyArray<Address>) =>
  addresses.flatMap(({ last_event_at }) => last_event_at ?? []).toSorted().at(-1)

const Last = ({ addresses }: { readonly addresses: ReadonlyArray<Address> }) => {
  const last = lastOf(addresses)
  return last === undefined ? <>{said(words).never}</> : (
    <>
      {said(words).last} <Moment at={last} />.
    </>
  )
}

/** The state of the club's sales, as far as it is known. */
const Standing = ({ club }: { readonly club: Membership }): ComponentChildren => {
  const { data: addresses } = useAddresses(club)
  const { data: waiting } = useUnmapped(club)
  const { data: failed } = useFailed(club)
  if (addresses === undefined || waiting === undefined || failed === undefined) return null
  const troubles = troublesOf({ addresses, waiting, failed: failed.count })
  return (
    <p role="status">
      {troubles.length === 0 ? said(words).fine : troubles.map((trouble) => tell(trouble, failed.more)).join(" ")}{" "}
      {addresses.length > 0 && <Last addresses={addresses} />}
    </p>
  )
}

const Unconnected = ({ club }: { readonly club: Membership }) => (
  <Empty
    title={said(words).unconnected}
    action={<a class="button" href={clubPage(club, "sales", "platforms")}>{said(words).connect}</a>}
  >
    {said(words).unconnectedText}
  </Empty>
)

/** The events of sales platforms and their results. */
export default function Sales({ club }: ClubViewProps) {
  const { data: addresses } = useAddresses(club)
  return (
    <>
      <PageHead title={said(salesWords).sales}>
        <Standing club={club} />
      </PageHead>
      <Tabs label={said(salesWords).parts} tabs={salesTabs(club)} />
      <Unmapped club={club} />
      <EventTable club={club} unconnected={addresses?.length === 0 ? <Unconnected club={club} /> : undefined} />
    </>
  )
}
