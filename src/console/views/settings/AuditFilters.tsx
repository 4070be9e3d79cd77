import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { allOf } from "../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import type { Membership } from "../../club/Session.ts"
import { words } from "./words.ts"

const Filter = (
  { children, label }: { readonly label: string; readonly children: (id: string) => ComponentChildren }
) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  )
}

const Day = ({ label, name }: { readonly label: string; readonly name: "since" | "until" }) => (
  <Filter label={label}>
    {(id) => (
      <input
        id={id}
        type="date"
        value={query.value.get(name) ?? ""}
        onChange={({ currentTarget: { value } }) => setQuery({ [name]: value })}
      />
    )}
  </Filter>
)

/** The filters of the log: person, operation, outcome and time. All of them stand in the address. */
export const AuditFilters = ({ club }: { readonly club: Membership }) => {
  const members = useRead(
    `${club.organization_id}/members`,
    (signal) => allOf(turma.clubs.listMembers({ clubId: club.organization_id, limit: 100 }, { signal }))
  )
  return (
    <div class="filters" role="search" aria-label={said(words).audit}>
      <Filter label={said(words).person}>
        {(id) => (
          <select
            id={id}
            value={query.value.get("person") ?? ""}
            onChange={({ currentTarget: { value } }) => setQuery({ person: value })}
          >
            <option value="">{said(words).anybody}</option>
            {members.data?.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        )}
      </Filter>
      <Filter label={said(words).operation}>
        {(id) => (
          <input
            id={id}
            type="search"
            placeholder={said(words).operationHint}
            pattern="[A-Za-z]+\.[A-Za-z]+"
            value={query.value.get("operation") ?? ""}
            onChange={({ currentTarget: { value } }) => setQuery({ operation: value.trim() })}
          />
        )}
      </Filter>
      <Filter label={said(words).outcome}>
        {(id) => (
          <select
            id={id}
            value={query.value.get("outcome") ?? ""}
            onChange={({ currentTarget: { value } }) => setQuery({ outcome: value })}
          >
            <option value="">{said(words).any}</option>
            <option value="done">{said(words).done}</option>
            <option value="refused">{said(words).refused}</option>
          </select>
        )}
      </Filter>
      <Day label={said(words).from} name="since" />
      <Day label={said(words).until} name="until" />
    </div>
  )
}
