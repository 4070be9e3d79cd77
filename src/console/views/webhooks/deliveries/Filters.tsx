import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { query, setQuery } from "../../../../browser/client/Location.ts"
import { localOf, momentIn } from "../../../../browser/client/Time.ts"
import { statusName } from "../../../club/DeliveryBadge.tsx"
import { idIn } from "../../../club/Ids.ts"
import type { Membership } from "../../../club/Session.ts"
import { nameOf } from "../model/EndpointHealth.ts"
import { useCatalogue, useEndpoints } from "../parts/Reads.ts"
import { Select } from "../parts/Select.tsx"
import { StudentField } from "../parts/StudentField.tsx"
import { statuses } from "./Filter.ts"

const words = spoken(
  {
    clear: "Clear",
    endpoint: "Endpoint",
    event: "Event id",
    filters: "Filters",
    more: "More filters",
    since: "From",
    status: "Status",
    type: "Type of event",
    until: "Until",
    wrong: "It contains no id"
  },
  {
    clear: "Limpar",
    endpoint: "Endpoint",
    event: "Id do evento",
    filters: "Filtros",
    more: "Mais filtros",
    since: "De",
    status: "Situação",
    type: "Tipo de evento",
    until: "Até",
    wrong: "Não há um id aqui"
  }
)

interface FieldProps {
  readonly name: string
  readonly label: string
}

const When = ({ label, name }: FieldProps) => {
  const id = useId()
  const moment = momentIn(query.value.get(name))
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={moment === undefined ? "" : localOf(moment)}
        onChange={({ currentTarget }) => setQuery({ [name]: momentIn(currentTarget.value) })}
      />
    </div>
  )
}

/** An id, wherever it was copied from: a whole line of a log too. */
const Id = ({ label, name }: FieldProps) => {
  const id = useId()
  /** The entered text, if it contains no id. */
  const wrong = useSignal<string | undefined>(undefined)
  const choose = (text: string) => {
    const found = idIn(text)
    wrong.value = found === undefined && text.trim() !== "" ? text : undefined
    if (wrong.value === undefined) setQuery({ [name]: found })
  }
  const isWrong = wrong.value !== undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        value={wrong.value ?? query.value.get(name) ?? ""}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {isWrong && <p class="wrong" id={`${id}-wrong`} role="alert">{said(words).wrong}</p>}
    </div>
  )
}

const rarer = ["since", "until", "student", "event"]
const names = ["status", "type", "endpoint", ...rarer]

/** The filters of the list, kept in the address. */
export const Filters = ({ club, ofAll }: { readonly club: Membership; readonly ofAll: boolean }) => {
  const catalogue = useCatalogue(club)
  const endpoints = useEndpoints(club)
  const { clear, endpoint, event, filters, more, since, status, type, until } = said(words)
  const isNarrow = names.some((name) => query.value.has(name))
  return (
    <div class="filters" role="search" aria-label={filters}>
      <Select name="status" label={status} choices={statuses.map((one) => [one, statusName(one)])} />
      <Select name="type" label={type} choices={(catalogue.data ?? []).map((one) => [one.type, one.type])} />
      {ofAll && (
        <Select
          name="endpoint"
          label={endpoint}
          choices={(endpoints.data ?? []).map((one) => [one.id, nameOf(one)])}
        />
      )}
      <details open={rarer.some((name) => query.value.has(name))}>
        <summary>{more}</summary>
        <div class="filters">
          <When name="since" label={since} />
          <When name="until" label={until} />
          <StudentField club={club} />
          <Id name="event" label={event} />
        </div>
      </details>
      {isNarrow && (
        <button
          type="button"
          class="quiet"
          onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          {clear}
        </button>
      )}
    </div>
  )
}
