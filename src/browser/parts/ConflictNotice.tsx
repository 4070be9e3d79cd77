import type { ComponentChildren } from "preact"
import { said, spoken } from "../client/Language.ts"
import type { Form } from "./Form.ts"

const words = spoken(
  {
    empty: (field: string) => `Somebody else has cleared “${field}” meanwhile.`,
    now: (field: string) => `Somebody else has changed “${field}” meanwhile. It is now:`,
    off: "off",
    on: "on",
    take: "Take theirs"
  },
  {
    empty: (field: string) => `Outra pessoa apagou “${field}” enquanto você editava.`,
    now: (field: string) => `Outra pessoa mudou “${field}” enquanto você editava. Agora está assim:`,
    off: "desligado",
    on: "ligado",
    take: "Usar essa versão"
  }
)

/** The text of a switch. */
export const switchText = (value: string): string => value === "true" ? said(words).on : said(words).off

interface ConflictNoticeProps {
  readonly label: string
  /** The other person's value. */
  readonly children: ComponentChildren
  readonly isEmpty?: boolean
  readonly take: () => void
}

/** Says that somebody else has changed what is being entered, and offers what they have made of it. */
export const ConflictNotice = ({ children, isEmpty = false, label, take }: ConflictNoticeProps) => (
  <div class="notice waiting contested" role="status">
    <p>
      {isEmpty ? said(words).empty(label) : said(words).now(label)} {!isEmpty && <strong dir="auto">{children}</strong>}
    </p>
    <button type="button" class="quiet" aria-label={`${said(words).take}: ${label}`} onClick={take}>
      {said(words).take}
    </button>
  </div>
)

/** The most characters of a shown text: enough to recognise it. */
const mostShown = 200

const shortened = (text: string) => text.length > mostShown ? `${text.slice(0, mostShown)}…` : text

interface FieldConflictProps {
  readonly form: Form
  readonly name: string
  readonly label: string
  /** The text of a value, if it differs from the value. */
  readonly textOf?: (value: string) => string
}

/** The same for a field of a form. Renders nothing if nobody else has changed it. */
export const FieldConflict = ({ form, label, name, textOf = (text) => text }: FieldConflictProps) => {
  const theirs = form.theirs(name)
  if (theirs === undefined) return null
  const text = shortened(textOf(theirs))
  return <ConflictNotice label={label} isEmpty={text === ""} take={() => form.take(name)}>{text}</ConflictNotice>
}
