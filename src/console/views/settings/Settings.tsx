import { turma } from "../../../browser/client/Api.ts"
import { date } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { meKey } from "../../../browser/client/Person.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { CheckField, SelectField, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { zoneChoices } from "../../club/ClubZone.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import type { ClubViewProps } from "../../club/View.ts"
import { SettingsHead } from "./SettingsHead.tsx"
import { words } from "./words.ts"

type Club = Schemas["Club"]

const languages = [{ value: "pt-BR", label: "Português" }, { value: "en", label: "English" }]

const Edit = ({ club, of }: { readonly club: Membership; readonly of: Club }) => {
  const form = useForm({
    of,
    values: {
      name: of.name,
      slug: of.slug,
      time_zone: of.time_zone,
      locale: of.locale,
      sign_up_open: of.sign_up_open ? "true" : ""
    },
    send: async (value) => {
      await turma.clubs.update({
        clubId: club.organization_id,
        body: form.changes({
          name: value("name"),
          slug: value("slug"),
          time_zone: value("time_zone"),
          locale: value("locale") === "en" ? "en" : "pt-BR",
          sign_up_open: value("sign_up_open") === "true"
        })
      })
      changed(`${club.organization_id}/club`, meKey)
    },
    done: said(words).saved
  })
  return (
    <form class="card stack narrow" onSubmit={form.submit}>
      <TextField form={form} name="name" label={said(words).name} maxLength={120} required />
      <TextField form={form} name="slug" label={said(words).slug} hint={said(words).slugHint} maxLength={60} required />
      <SelectField
        form={form}
        name="time_zone"
        label={said(words).zone}
        hint={said(words).zoneHint}
        choices={zoneChoices(of.time_zone)}
      />
      <SelectField form={form} name="locale" label={said(words).language} choices={languages} />
      <CheckField form={form} name="sign_up_open" label={said(words).open} hint={said(words).openHint} />
      <div class="actions">
        <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).save}</button>
      </div>
    </form>
  )
}

const Facts = ({ of }: { readonly of: Club }) => (
  <div class="card stack narrow">
    <dl class="facts">
      <dt>{said(words).name}</dt>
      <dd dir="auto">{of.name}</dd>
      <dt>{said(words).slug}</dt>
      <dd>{of.slug}</dd>
      <dt>{said(words).zone}</dt>
      <dd>{of.time_zone.replaceAll("_", " ")}</dd>
      <dt>{said(words).language}</dt>
      <dd>{languages.find(({ value }) => value === of.locale)?.label}</dd>
    </dl>
    <p class="soft">{said(words).readOnly}</p>
  </div>
)

/** A club's name, and its time zone and days. */
export default function Settings({ club }: ClubViewProps) {
  const read = useRead(
    `${club.organization_id}/club`,
    (signal) => turma.clubs.get({ clubId: club.organization_id }, { signal })
  )
  return (
    <>
      <SettingsHead club={club} title={said(words).title}>
        {read.data !== undefined && `${said(words).created}: ${date(read.data.data.created_at)}`}
      </SettingsHead>
      <Shown read={read}>
        {({ data }) =>
          may(club.role, "administer")
            ? <Edit club={club} of={data} />
            : <Facts of={data} />}
      </Shown>
    </>
  )
}
