import { turma } from "../../browser/client/Api.ts"
import { language, said, spoken } from "../../browser/client/Language.ts"
import { go } from "../../browser/client/Location.ts"
import { meKey } from "../../browser/client/Person.ts"
import { tell } from "../../browser/client/ReadCache.ts"
import { ownZone } from "../../browser/client/Zoned.ts"
import { SelectField, TextField } from "../../browser/parts/Fields.tsx"
import { useForm } from "../../browser/parts/Form.ts"
import { PageHead } from "../../browser/parts/PageHead.tsx"
import { zoneChoices } from "../club/ClubZone.ts"
import { readMe } from "../club/Session.ts"
import { clubPage } from "../club/View.ts"
import { OwnFrame } from "./OwnFrame.tsx"

const words = spoken(
  {
    clubs: "Your clubs",
    found: "Found the club",
    language: "Language of its mails",
    name: "Name",
    title: "Found a club",
    zone: "Time zone",
    zoneHint: "A club's day begins at midnight in this zone, for daily limits, caps and charts."
  },
  {
    clubs: "Seus clubes",
    found: "Criar o clube",
    language: "Idioma dos e-mails",
    name: "Nome",
    title: "Criar um clube",
    zone: "Fuso horário",
    zoneHint: "O dia do clube começa à meia-noite deste fuso, nos limites diários e nos gráficos."
  }
)

/** A form for a new club. The person becomes its owner. */
export const FoundClub = () => {
  const form = useForm({
    values: { name: "", locale: language.peek(), time_zone: ownZone() },
    send: async (value) => {
      const { data } = await turma.account.createClub({
        body: {
          name: value("name"),
          time_zone: value("time_zone"),
          locale: value("locale") === "en" ? "en" : "pt-BR"
        }
      })
      await readMe()
      tell(meKey)
      go(clubPage(data), { replace: true })
    }
  })
  return (
    <OwnFrame>
      <PageHead title={said(words).title} above={[{ label: said(words).clubs, to: "/console?all" }]} />
      <form class="card stack narrow" onSubmit={form.submit}>
        <TextField form={form} name="name" label={said(words).name} required maxLength={120} autofocus />
        <SelectField
          form={form}
          name="time_zone"
          label={said(words).zone}
          hint={said(words).zoneHint}
          choices={zoneChoices(ownZone())}
        />
        <SelectField
          form={form}
          name="locale"
          label={said(words).language}
          choices={[{ value: "pt-BR", label: "Português" }, { value: "en", label: "English" }]}
        />
        <button type="submit" aria-busy={form.isRunning}>{said(words).found}</button>
      </form>
    </OwnFrame>
  )
}
