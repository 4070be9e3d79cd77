import { useSignal } from "@preact/signals"
import { language, said, spoken } from "../../../../browser/client/Language.ts"
import { Json } from "../../../../browser/parts/Code.tsx"
import { Shown } from "../../../../browser/parts/States.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import type { Membership } from "../../../club/Session.ts"
import { useCatalogue } from "../parts/Reads.ts"
import { typeWords } from "./typeWords.ts"

const words = spoken(
  {
    all: "All of them",
    chosen: (count: number) => count === 1 ? "1 type is chosen" : `${count} types are chosen`,
    example: "Example of a body",
    label: "Types of events",
    none: "No types",
    schema: "JSON Schema of a body",
    show: "The body",
    showOf: (type: string) => `The body of ${type}`
  },
  {
    all: "Todos",
    chosen: (count: number) => count === 1 ? "1 tipo escolhido" : `${count} tipos escolhidos`,
    example: "Exemplo de corpo",
    label: "Tipos de eventos",
    none: "Nenhum",
    schema: "JSON Schema do corpo",
    show: "O que é enviado",
    showOf: (type: string) => `O que é enviado como ${type}`
  }
)

type EventType = Schemas["WebhookEventType"]

const Shape = ({ of: { example, schema, type } }: { readonly of: EventType }) => {
  const isOpen = useSignal(false)
  return (
    <details open={isOpen.value} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary aria-label={said(words).showOf(type)}>{said(words).show}</summary>
      {isOpen.value && (
        <div class="stack">
          <Json label={said(words).example} value={example} />
          <Json label={said(words).schema} value={schema} />
        </div>
      )}
    </details>
  )
}

const TypeText = ({ of: { description, type } }: { readonly of: EventType }) => {
  const text = language.value === "en" ? description : typeWords[type]
  return text === undefined
    ? <span class="soft small" lang="en">{description}</span>
    : <span class="soft small">{text}</span>
}

interface CatalogueProps {
  readonly club: Membership
  readonly chosen: ReadonlySet<string>
  readonly choose: (types: ReadonlySet<string>) => void
}

const TypeChoice = ({ choose, chosen, of }: Omit<CatalogueProps, "club"> & { readonly of: EventType }) => {
  const { type } = of
  const toggle = (isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(type)
    else next.delete(type)
    choose(next)
  }
  return (
    <li>
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.has(type)}
          onChange={({ currentTarget }) => toggle(currentTarget.checked)}
        />
        <span>
          <code>{type}</code>
          <TypeText of={of} />
        </span>
      </label>
      <Shape of={of} />
    </li>
  )
}

const groupsOf = (types: ReadonlyArray<EventType>) => {
  const groups = new Map<string, Array<EventType>>()
  for (const one of types) {
    const [noun = ""] = one.type.split(".")
    groups.set(noun, [...groups.get(noun) ?? [], one])
  }
  return [...groups]
}

/** The types of events to choose from, each with its sentence, its schema and an example. */
export const Catalogue = ({ choose, chosen, club }: CatalogueProps) => {
  const catalogue = useCatalogue(club)
  return (
    <fieldset class="catalogue">
      <legend>{said(words).label}</legend>
      <Shown read={catalogue}>
        {(types) => {
          const wanted = types.filter(({ type }) => type !== "webhook.test")
          return (
            <>
              <div class="row">
                <span class="soft small" role="status">{said(words).chosen(chosen.size)}</span>
                <button type="button" class="link" onClick={() => choose(new Set(wanted.map(({ type }) => type)))}>
                  {said(words).all}
                </button>
                <button type="button" class="link" onClick={() => choose(new Set())}>{said(words).none}</button>
              </div>
              {groupsOf(wanted).map(([noun, members]) => (
                <ul key={noun} class="plain-list">
                  {members.map((one) => <TypeChoice key={one.type} of={one} chosen={chosen} choose={choose} />)}
                </ul>
              ))}
            </>
          )
        }}
      </Shown>
    </fieldset>
  )
}
