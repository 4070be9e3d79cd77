import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { exactTime } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { query } from "../../../browser/client/Location.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Json } from "../../../browser/parts/Code.tsx"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import type { ClubViewProps } from "../../club/View.ts"
import { type AuditFilter, filterIn } from "./auditFilter.ts"
import { AuditFilters } from "./AuditFilters.tsx"
import { SettingsHead } from "./SettingsHead.tsx"
import { words } from "./words.ts"

type Entry = Schemas["AuditEntry"]

const columns = (show: (entry: Entry) => void): ReadonlyArray<Column<Entry>> => [
  {
    key: "operation",
    head: said(words).operation,
    cell: (entry) => (
      <button type="button" class="link" onClick={() => show(entry)}>
        <code>{entry.operation}</code>
      </button>
    )
  },
  {
    key: "person",
    head: said(words).person,
    onCard: "detail",
    cell: ({ actor, key }) => (
      <>
        <span dir="auto">{actor.name}</span>
        {key !== null && <span class="soft small" dir="auto">{said(words).byKey(key.name)}</span>}
      </>
    )
  },
  {
    key: "outcome",
    head: said(words).outcome,
    onCard: "state",
    width: "8rem",
    cell: ({ outcome }) =>
      outcome === "done"
        ? <Badge tone="quiet">{said(words).done}</Badge>
        : <Badge tone="warning">{said(words).refused}</Badge>
  },
  {
    key: "when",
    head: said(words).when,
    onCard: "detail",
    width: "9.5rem",
    cell: ({ at }) => <Moment at={at} />
  }
]

const OneEntry = ({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) => (
  <Dialog title={entry.operation} onClose={onClose} wide>
    <dl class="facts">
      <dt>{said(words).when}</dt>
      <dd>{exactTime(entry.at)}</dd>
      <dt>{said(words).person}</dt>
      <dd dir="auto">{entry.actor.name} ({entry.actor.email})</dd>
      {entry.request_id !== null && (
        <>
          <dt>{said(words).request}</dt>
          <dd>{entry.request_id}</dd>
        </>
      )}
    </dl>
    <Json label={said(words).entry} value={entry} />
  </Dialog>
)

/** The audit log of a club. */
export default function Audit({ club }: ClubViewProps) {
  const shown = useSignal<Entry | undefined>(undefined)
  const filter: AuditFilter = filterIn(query.value)
  const key = `${club.organization_id}/audit-log?${JSON.stringify(filter)}`
  const list = useList<Entry>(
    key,
    ({ cursor, limit, signal }) =>
      turma.auditLog.list({ clubId: club.organization_id, limit, cursor, ...filter }, { signal })
  )
  return (
    <>
      <SettingsHead club={club} title={said(words).audit}>{said(words).auditLead}</SettingsHead>
      <AuditFilters club={club} />
      <Table
        label={said(words).audit}
        columns={columns((entry) => (shown.value = entry))}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty title={said(words).none}>{said(words).noneText}</Empty>}
      />
      {shown.value !== undefined && <OneEntry entry={shown.value} onClose={() => (shown.value = undefined)} />}
    </>
  )
}
