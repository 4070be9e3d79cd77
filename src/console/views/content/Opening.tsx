import { counted, number, shortDate } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { SelectField, TextField } from "../../../browser/parts/Fields.tsx"
import type { Form } from "../../../browser/parts/Form.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { clock } from "../../../browser/parts/Moment.tsx"
import { clubField, clubHint, clubTime, clubZone } from "../../club/ClubZone.ts"
import { isAwaited, type Opening, wayOf } from "./opening.ts"

const words = spoken(
  {
    at: "Day and time",
    date: "At a date",
    days: "Days after the student's access began",
    daysField: "Days",
    daysHint: "Counted from the day on which the access of each student began. It opens at midnight of the club.",
    hint: "A lesson opens once its module is open too.",
    label: "Opens",
    once: "At once",
    opensAfter: (days: number) =>
      counted(days, "opens 1 day after the start", `opens ${number(days)} days after the start`),
    opensOn: (day: string) => `opens on ${day}`
  },
  {
    at: "Dia e hora",
    date: "Em uma data",
    days: "Dias depois do início do acesso",
    daysField: "Dias",
    daysHint: "Conta a partir do dia em que o acesso de cada aluno começou. Abre à meia-noite, no fuso do clube.",
    hint: "Uma aula só abre quando o módulo dela também estiver aberto.",
    label: "Abre",
    once: "Na hora",
    opensAfter: (days: number) =>
      counted(days, "abre 1 dia depois do início", `abre ${number(days)} dias depois do início`),
    opensOn: (day: string) => `abre em ${day}`
  }
)

/** The values of the fields, of an opening as it is. */
export const openingValues = (opening: Opening) => ({
  opens: wayOf(opening),
  opens_after_days: opening.opens_after_days === null ? "" : String(opening.opens_after_days),
  opens_at: clubField(opening.opens_at)
})

/** Fields for the opening of a module or a lesson. */
export const OpeningFields = ({ form }: { readonly form: Form }) => (
  <>
    <SelectField
      form={form}
      name="opens"
      label={said(words).label}
      hint={said(words).hint}
      choices={[
        { value: "once", label: said(words).once },
        { value: "days", label: said(words).days },
        { value: "date", label: said(words).date }
      ]}
    />
    {form.value("opens") === "days" && (
      <TextField
        form={form}
        name="opens_after_days"
        label={said(words).daysField}
        hint={said(words).daysHint}
        type="number"
        min={0}
        max={3650}
        required
      />
    )}
    {form.value("opens") === "date" && (
      <TextField
        form={form}
        name="opens_at"
        label={said(words).at}
        hint={clubHint()}
        type="datetime-local"
        required
      />
    )}
  </>
)

/** When something opens, as long as a student may wait for it: `opens on 11/28/26`. */
export const OpeningNote = ({ of }: { readonly of: Opening }) => {
  const { opens_after_days: days, opens_at: at } = of
  if (!isAwaited(of, clock.value)) return null
  return (
    <span class="opening soft small" title={at === null ? undefined : clubTime(at)}>
      <Icon name="calendar" />
      {days !== null ? said(words).opensAfter(days) : said(words).opensOn(shortDate(at ?? "", clubZone.value))}
    </span>
  )
}
