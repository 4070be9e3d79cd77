import { useId } from "preact/hooks"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { query, setQuery } from "../../../../browser/client/Location.ts"

const words = spoken({ all: "All" }, { all: "Todos" })

interface SelectProps {
  /** The parameter of the address. */
  readonly name: string
  readonly label: string
  readonly choices: ReadonlyArray<readonly [value: string, label: string]>
}

/** A filter of a list, kept in the address. */
export const Select = ({ choices, label, name }: SelectProps) => {
  const id = useId()
  const chosen = query.value.get(name) ?? ""
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={chosen} onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}>
        <option value="">{said(words).all}</option>
        {choices.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
    </div>
  )
}
