import { useId } from "preact/hooks"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { query, setQuery } from "../../../../browser/client/Location.ts"
import { SearchField } from "../../../../browser/parts/SearchField.tsx"
import { deliveryChoices, useCohorts, useDeliveries } from "../../../club/Catalog.tsx"
import type { Membership } from "../../../club/Session.ts"

const words = spoken(
  {
    active: "With access now",
    access: "Access",
    all: "All",
    anyCohort: "All cohorts",
    anyDelivery: "All deliveries",
    cohort: "Cohort",
    delivery: "Delivery",
    inactive: "Without access now",
    search: "Search by name or address"
  },
  {
    active: "Com acesso agora",
    access: "Acesso",
    all: "Todos",
    anyCohort: "Todas as turmas",
    anyDelivery: "Todas as entregas",
    cohort: "Turma",
    delivery: "Entrega",
    inactive: "Sem acesso agora",
    search: "Busque por nome ou e-mail"
  }
)

interface FilterProps {
  readonly name: string
  readonly label: string
  readonly choices: ReadonlyArray<{ readonly value: string; readonly label: string }>
  /** Other filters that this one takes away. */
  readonly without?: ReadonlyArray<string>
}

const Filter = ({ choices, label, name, without = [] }: FilterProps) => {
  const id = useId()
  return (
    <div class="field">
      <label class="small" for={id}>{label}</label>
      <select
        id={id}
        value={query.value.get(name) ?? ""}
        onChange={(event) =>
          setQuery({
            ...Object.fromEntries(without.map((other) => [other, undefined])),
            [name]: event.currentTarget.value
          })}
      >
        {choices.map(({ label, value }) => <option key={value} value={value}>{label}</option>)}
      </select>
    </div>
  )
}

/** The filters of the list of students. All of them stand in the address. */
export const Filters = ({ club }: { readonly club: Membership }) => {
  const { data: deliveries } = useDeliveries(club)
  const { data: cohorts = [] } = useCohorts(club, query.value.get("delivery_id") ?? "")
  return (
    <div class="filters" role="search">
      <SearchField
        label={said(words).search}
        value={query.value.get("search") ?? ""}
        change={(search) => setQuery({ search })}
      />
      <Filter
        name="delivery_id"
        label={said(words).delivery}
        choices={[{ value: "", label: said(words).anyDelivery }, ...deliveryChoices(deliveries)]}
        without={["cohort_id"]}
      />
      {cohorts.length > 0 && (
        <Filter
          name="cohort_id"
          label={said(words).cohort}
          choices={[
            { value: "", label: said(words).anyCohort },
            ...cohorts.map(({ id, name }) => ({ value: id, label: name }))
          ]}
        />
      )}
      <Filter
        name="active"
        label={said(words).access}
        choices={[
          { value: "", label: said(words).all },
          { value: "true", label: said(words).active },
          { value: "false", label: said(words).inactive }
        ]}
      />
    </div>
  )
}
