import { turma } from "../../../../browser/client/Api.ts"
import { date, dateTime, money } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { allOf, useList } from "../../../../browser/client/Lists.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import { Empty, Shown } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import type { StudentProps } from "./Reads.ts"

type Purchase = Schemas["Purchase"]
type Subscription = Schemas["Subscription"]

const words = spoken(
  {
    amount: "Amount",
    canceled: (day: string) => `canceled ${day}`,
    id: "On the platform",
    late: (day: string) => `late since ${day}`,
    none: "Nothing bought yet",
    noneText: "A sales platform's charges for this person appear here, one by one.",
    paid: "Paid",
    paidUntil: (day: string) => `paid until ${day}`,
    product: "Product",
    purchases: "Purchases",
    state: "State",
    subscriptions: "Subscriptions"
  },
  {
    amount: "Valor",
    canceled: (day: string) => `cancelada em ${day}`,
    id: "Na plataforma",
    late: (day: string) => `atrasada desde ${day}`,
    none: "Nada comprado ainda",
    noneText: "As cobranças de plataformas de vendas para esta pessoa aparecem aqui, uma a uma.",
    paid: "Paga em",
    paidUntil: (day: string) => `paga até ${day}`,
    product: "Produto",
    purchases: "Compras",
    state: "Situação",
    subscriptions: "Assinaturas"
  }
)

const states = spoken<Record<Purchase["status"] | Subscription["status"], string>>(
  {
    active: "Active",
    canceled: "Canceled",
    chargeback: "Chargeback",
    paid: "Paid",
    past_due: "Past due",
    refunded: "Refunded"
  },
  {
    active: "Ativa",
    canceled: "Cancelada",
    chargeback: "Chargeback",
    paid: "Paga",
    past_due: "Atrasada",
    refunded: "Reembolsada"
  }
)

const tones: Readonly<Record<Purchase["status"] | Subscription["status"], Tone>> = {
  active: "good",
  canceled: "quiet",
  chargeback: "bad",
  paid: "good",
  past_due: "warning",
  refunded: "quiet"
}

const State = ({ status }: Pick<Purchase | Subscription, "status">) => (
  <Badge tone={tones[status]}>{said(states)[status]}</Badge>
)

const nameOf = ({ product }: Pick<Purchase, "product">) => product.name ?? product.external_id

const columns = (): ReadonlyArray<Column<Purchase>> => [
  { key: "product", head: said(words).product, cell: (purchase) => <bdi>{nameOf(purchase)}</bdi> },
  {
    key: "paid",
    head: said(words).paid,
    width: "13rem",
    onCard: "detail",
    cell: ({ paid_at }) => paid_at === null ? "–" : dateTime(paid_at)
  },
  {
    key: "id",
    head: said(words).id,
    cell: ({ external_id, platform }) => <bdi class="soft">{`${platform} ${external_id}`}</bdi>
  },
  { key: "state", head: said(words).state, onCard: "state", width: "9rem", cell: State },
  {
    key: "amount",
    head: said(words).amount,
    onCard: "detail",
    width: "8rem",
    isNumber: true,
    cell: ({ amount_cents, currency }) =>
      amount_cents === null || currency === null ? "–" : money(amount_cents, currency)
  }
]

const untilOf = ({ canceled_at, current_period_end, past_due_since, status }: Subscription) =>
  [
    ...(status === "past_due" && past_due_since !== null ? [said(words).late(date(past_due_since))] : []),
    ...(canceled_at === null ? [] : [said(words).canceled(date(canceled_at))]),
    ...(current_period_end === null ? [] : [said(words).paidUntil(date(current_period_end))])
  ].join(", ")

const Subscriptions = ({ club, student }: StudentProps) => {
  const clubId = club.organization_id
  const read = useRead(
    `${clubId}/students/${student.id}/subscriptions`,
    (signal) => allOf(turma.studentSales.subscriptions({ clubId, studentId: student.id, limit: 100 }, { signal }))
  )
  return (
    <Shown read={read}>
      {(subscriptions) =>
        subscriptions.length > 0 && (
          <section class="stack" aria-labelledby="subscriptions">
            <h2 id="subscriptions">{said(words).subscriptions}</h2>
            <ul class="plain-list accesses">
              {subscriptions.map((subscription) => (
                <li key={subscription.id} class="access">
                  <div class="row">
                    <h3 dir="auto">{subscription.plan_name ?? nameOf(subscription)}</h3>
                    <State status={subscription.status} />
                  </div>
                  <p>{untilOf(subscription)}</p>
                </li>
              ))}
            </ul>
          </section>
        )}
    </Shown>
  )
}

/** The purchases of a student. */
export const Purchases = ({ club, student }: StudentProps) => {
  const clubId = club.organization_id
  const list = useList(
    `${clubId}/students/${student.id}/purchases`,
    ({ cursor, limit, signal }) =>
      turma.studentSales.purchases({ clubId, studentId: student.id, cursor, limit }, { signal })
  )
  return (
    <>
      <Subscriptions club={club} student={student} />
      <section class="stack" aria-labelledby="purchases">
        <h2 id="purchases">{said(words).purchases}</h2>
        <Table
          label={said(words).purchases}
          columns={columns()}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={said(words).none}>{said(words).noneText}</Empty>}
        />
      </section>
    </>
  )
}
