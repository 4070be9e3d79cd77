import { turma } from "../../../../browser/client/Api.ts"
import { exactTime, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { allOf, useList } from "../../../../browser/client/Lists.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { Empty } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { DeliveryBadge } from "../../../club/DeliveryBadge.tsx"
import { clubPage } from "../../../club/View.ts"
import type { StudentProps } from "./Reads.ts"

type Delivery = Schemas["WebhookDelivery"]

const words = spoken(
  {
    attempts: "Attempts",
    made: "Made",
    none: "No webhook about this student",
    noneText: "Messages to your endpoints about this person in the last 90 days appear here.",
    state: "State",
    title: "Webhooks about the student, of the last 90 days",
    type: "Event"
  },
  {
    attempts: "Tentativas",
    made: "Criado em",
    none: "Nenhum webhook sobre este aluno",
    noneText: "As mensagens sobre esta pessoa aos seus endpoints, dos últimos 90 dias, aparecem aqui.",
    state: "Situação",
    title: "Webhooks sobre o aluno, dos últimos 90 dias",
    type: "Evento"
  }
)

const columns = (): ReadonlyArray<Column<Delivery>> => [
  { key: "type", head: said(words).type, cell: ({ event_type }) => event_type },
  {
    key: "state",
    head: said(words).state,
    onCard: "state",
    width: "9rem",
    cell: (delivery) => <DeliveryBadge of={delivery} />
  },
  {
    key: "attempts",
    head: said(words).attempts,
    width: "7rem",
    isNumber: true,
    onCard: "headed",
    cell: ({ attempts_count }) => number(attempts_count)
  },
  {
    key: "made",
    head: said(words).made,
    width: "16rem",
    onCard: "detail",
    cell: ({ created_at }) => exactTime(created_at)
  }
]

/** Every webhook about a student, to any endpoint. */
export const WebhooksAbout = ({ club, student }: StudentProps) => {
  const clubId = club.organization_id
  const list = useList(
    `${clubId}/students/${student.id}/webhooks`,
    ({ cursor, limit, signal }) =>
      turma.webhookDeliveries.listAll({ clubId, student_id: student.id, cursor, limit }, { signal })
  )
  const endpoints = useRead(
    `${clubId}/webhook-endpoints/of-students`,
    (signal) => allOf(turma.webhookEndpoints.list({ clubId, limit: 100 }, { signal }))
  )
  const isThere = (endpointId: string) => endpoints.data?.some(({ id }) => id === endpointId) === true
  return (
    <section class="stack" aria-labelledby="webhooks">
      <h2 id="webhooks">{said(words).title}</h2>
      <Table
        label={said(words).title}
        columns={columns()}
        list={list}
        keyOf={({ id }) => id}
        to={({ endpoint_id, event_id, id }) =>
          // Of a deleted endpoint there is no page any more, of the event there is.
          isThere(endpoint_id)
            ? clubPage(club, "webhooks", endpoint_id, "deliveries", id)
            : clubPage(club, "webhooks", "events", event_id)}
        empty={<Empty title={said(words).none}>{said(words).noneText}</Empty>}
      />
    </section>
  )
}
