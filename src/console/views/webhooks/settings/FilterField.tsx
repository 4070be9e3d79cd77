import { said, spoken } from "../../../../browser/client/Language.ts"
import { TextArea } from "../../../../browser/parts/Fields.tsx"
import type { Form } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import { filterIn } from "../model/FilterText.ts"
import { FilterTester } from "./FilterTester.tsx"

const words = spoken(
  {
    guide: "How filters are written",
    hint:
      "JSON, such as {\"field\": \"data.purchase.amount_cents\", \"gte\": 10000}. Empty: all events of its types. student.removed is always sent. ",
    label: "Filter",
    notJson: "This is not a JSON object yet."
  },
  {
    guide: "Como se escreve um filtro",
    hint:
      "JSON, como {\"field\": \"data.purchase.amount_cents\", \"gte\": 10000}. Em branco: todos os eventos dos tipos escolhidos. student.removed é sempre enviado. ",
    label: "Filtro",
    notJson: "Isto ainda não é um objeto JSON."
  }
)

interface FilterFieldProps {
  readonly club: Membership
  readonly form: Form
  /** The types of events that it may be tried on first. */
  readonly types: ReadonlyArray<string>
}

/** Which events an endpoint is sent, by their fields: `filter` of the form, and a way to try it. */
export const FilterField = ({ club, form, types }: FilterFieldProps) => {
  const { guide, hint, label, notJson } = said(words)
  const filter = filterIn(form.value("filter"))
  return (
    <>
      <TextArea
        form={form}
        name="filter"
        label={label}
        rows={6}
        maxLength={10_000}
        hint={
          <>
            {hint}
            <a href="/docs/guides/receivers">{guide}</a>
          </>
        }
      />
      {filter === undefined && <p class="wrong" role="status">{notJson}</p>}
      {filter !== undefined && filter !== null && <FilterTester club={club} filter={filter} types={types} />}
    </>
  )
}
