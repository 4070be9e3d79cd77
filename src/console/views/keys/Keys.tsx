import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { allOf, wholeList } from "../../../browser/client/Lists.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../browser/parts/Table.tsx"
import { clubPage, type ClubViewProps, useCommands } from "../../club/View.ts"
import { type ClubKey, keysOf, KeyState, rightOf, Secret } from "./KeyParts.tsx"
import { NewKey } from "./NewKey.tsx"
import { Terminal } from "./Terminal.tsx"
import { words } from "./words.ts"

const columns = (): ReadonlyArray<Column<ClubKey>> => [
  {
    key: "name",
    head: said(words).name,
    cell: ({ name }) => <span dir="auto">{name}</span>
  },
  {
    key: "status",
    head: "",
    onCard: "state",
    width: "8rem",
    cell: ({ status }) => <KeyState status={status} />
  },
  { key: "right", head: said(words).right, onCard: "detail", cell: (key) => rightOf(key) },
  {
    key: "holder",
    head: said(words).holder,
    width: "11rem",
    onCard: "detail",
    cell: ({ holder }) => holder === null ? "–" : <span dir="auto">{holder.name}</span>
  },
  {
    key: "used",
    head: said(words).lastUsed,
    width: "9rem",
    onCard: "headed",
    cell: ({ last_used_at }) => last_used_at === null ? said(words).never : <Moment at={last_used_at} />
  }
]

const Lead = ({ keys }: { readonly keys: ReadonlyArray<ClubKey> }) => {
  const active = keys.filter(({ status }) => status === "active")
  const unowned = keys.filter(({ status }) => status === "unowned").length
  return (
    <>
      {said(words).lead(active.length, active.filter((key) => key.last_used_at === null).length)}
      {unowned > 0 && <strong>{said(words).leadUnowned(unowned)}</strong>} {said(words).listed}
    </>
  )
}

/** With what the machines of a club come in. */
export default function Keys({ club }: ClubViewProps) {
  const open = useSignal<"key" | "terminal" | undefined>(undefined)
  const token = useSignal<string | undefined>(undefined)
  const keys = useRead(
    keysOf(club),
    (signal) => allOf(turma.keys.list({ clubId: club.organization_id, limit: 100 }, { signal }))
  )
  const close = () => {
    open.value = undefined
  }
  const make = () => {
    open.value = "key"
  }
  const letIn = () => {
    open.value = "terminal"
  }
  useCommands([{ label: said(words).make, keys: "n", run: make }, { label: said(words).letIn, run: letIn }])
  return (
    <>
      <PageHead
        title={said(words).title}
        actions={
          <>
            <button type="button" class="quiet" onClick={letIn}>{said(words).letIn}</button>
            <button type="button" onClick={make}>{said(words).make}</button>
          </>
        }
      >
        {keys.data !== undefined && keys.data.length > 0 && <Lead keys={keys.data} />}
      </PageHead>
      <Table
        label={said(words).title}
        columns={columns()}
        list={wholeList(keys)}
        keyOf={({ id }) => id}
        to={({ id }) => clubPage(club, "keys", id)}
        empty={<Empty icon="key" title={said(words).none}>{said(words).noneText}</Empty>}
      />
      {open.value === "key" && (
        <NewKey
          club={club}
          onClose={close}
          onMade={(made) => {
            close()
            token.value = made
          }}
        />
      )}
      {open.value === "terminal" && <Terminal club={club} onClose={close} />}
      {token.value !== undefined && <Secret token={token.value} onClose={() => (token.value = undefined)} />}
    </>
  )
}
