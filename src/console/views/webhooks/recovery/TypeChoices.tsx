import { said, spoken } from "../../../../browser/client/Language.ts"
import { Shown } from "../../../../browser/parts/States.tsx"
import type { Membership } from "../../../club/Session.ts"
import { useCatalogue } from "../parts/Reads.ts"

const words = spoken(
  { hint: "No type chosen: all types.", label: "Types of events" },
  { hint: "Sem escolha: todos os tipos.", label: "Tipos de eventos" }
)

interface TypeChoicesProps {
  readonly club: Membership
  readonly chosen: ReadonlySet<string>
  readonly choose: (types: ReadonlySet<string>) => void
}

/** The types of events by their names, to choose some of them. */
export const TypeChoices = ({ choose, chosen, club }: TypeChoicesProps) => {
  const catalogue = useCatalogue(club)
  const toggle = (type: string, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(type)
    else next.delete(type)
    choose(next)
  }
  return (
    <fieldset class="type-choices">
      <legend>{said(words).label}</legend>
      <p class="hint">{said(words).hint}</p>
      <Shown read={catalogue}>
        {(types) => (
          <ul class="plain-list">
            {types.map(({ type }) => (
              <li key={type}>
                <label class="check">
                  <input
                    type="checkbox"
                    checked={chosen.has(type)}
                    onChange={({ currentTarget }) => toggle(type, currentTarget.checked)}
                  />
                  <code>{type}</code>
                </label>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </fieldset>
  )
}
