import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { ActionButton } from "../../../../browser/parts/ActionButton.tsx"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { idIn } from "../../../club/Ids.ts"
import type { Membership } from "../../../club/Session.ts"
import { type Filter, textOfValue } from "../model/FilterText.ts"
import { isEventType } from "../model/Typed.ts"

const words = spoken(
  {
    absent: "the event lacks this field",
    decides: "decides",
    event: "Or on an event of the club, by its id",
    failed: "This event would not be sent.",
    field: (field: string, value: string) => `${field} is ${value}`,
    holds: "Holds",
    fails: "Does not hold",
    matched: "This event would be sent.",
    noId: "It contains no id",
    results: "The filter's results for the event",
    test: "Try it",
    title: "Try the filter",
    type: "On the example of a type"
  },
  {
    absent: "o evento não tem este campo",
    decides: "decide",
    event: "Ou com um evento do clube, pelo id",
    failed: "Este evento não seria enviado.",
    field: (field: string, value: string) => `${field} é ${value}`,
    holds: "Vale",
    fails: "Não vale",
    matched: "Este evento seria enviado.",
    noId: "Não há um id aqui",
    results: "Resultado do filtro para o evento",
    test: "Testar",
    title: "Testar o filtro",
    type: "Com o exemplo de um tipo"
  }
)

type Tested = Schemas["WebhookFilterTest"]

const Result = ({ of: { conditions, failed, matches } }: { readonly of: Tested }) => {
  const { absent, decides, failed: notSent, fails, field: fieldText, holds, matched, results } = said(words)
  const isDecisive = (place: string) => failed.some((one) => place === one || place.startsWith(`${one}.`))
  return (
    <div class={`notice stack ${matches ? "good" : "bad"}`}>
      <strong>{matches ? matched : notSent}</strong>
      <ul class="plain-list stack tight" aria-label={results}>
        {conditions.map(({ field, matches: isMet, place, present, value }) => (
          <li key={place} class="row">
            <Badge tone={isMet ? "good" : "bad"}>{isMet ? holds : fails}</Badge>
            <code>{place}</code>
            <span dir="auto">{present ? fieldText(field, textOfValue(value)) : `${field}: ${absent}`}</span>
            {isDecisive(place) && <span class="soft small">{decides}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface FilterTesterProps {
  readonly club: Membership
  readonly filter: Filter
  readonly types: ReadonlyArray<string>
}

/** Tries a filter as it is written now, on the example of a type or on an event of the club. Nothing is sent or kept. */
export const FilterTester = ({ club, filter, types }: FilterTesterProps) => {
  const id = useId()
  const type = useSignal(types[0] ?? "student.created")
  const event = useSignal("")
  /** The result and its filter: a filter that changes afterwards is untested. */
  const tested = useSignal<{ readonly of: string; readonly found: Tested } | undefined>(undefined)
  const { event: eventLabel, noId, test, title, type: typeLabel } = said(words)
  const offered = types.includes(type.value) ? types : [...types, type.value]
  const text = JSON.stringify(filter)
  const run = async () => {
    tested.value = undefined
    const entered = event.peek().trim()
    const event_id = idIn(entered)
    if (entered !== "" && event_id === undefined) throw new Error(noId)
    const event_type = type.peek()
    const on = event_id !== undefined ? { event_id } : isEventType(event_type) ? { event_type } : {}
    const { data } = await turma.webhookFilters.test({ clubId: club.organization_id, body: { filter, ...on } })
    tested.value = { of: text, found: data }
  }
  return (
    <fieldset class="stack">
      <legend>{title}</legend>
      <div class="field">
        <label for={`${id}-type`}>{typeLabel}</label>
        <select
          id={`${id}-type`}
          value={type.value}
          onChange={({ currentTarget }) => (type.value = currentTarget.value)}
        >
          {offered.map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
      </div>
      <div class="field">
        <label for={`${id}-event`}>{eventLabel}</label>
        <input
          id={`${id}-event`}
          type="search"
          autocomplete="off"
          value={event.value}
          // The form around it is not sent by this.
          onKeyDown={(pressed) => pressed.key === "Enter" && pressed.preventDefault()}
          onInput={({ currentTarget }) => (event.value = currentTarget.value)}
        />
      </div>
      <div class="actions">
        <ActionButton isQuiet work={run}>{test}</ActionButton>
      </div>
      <div aria-live="polite">
        {tested.value?.of === text && <Result of={tested.value.found} />}
      </div>
    </fieldset>
  )
}
