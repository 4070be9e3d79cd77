import { useLayoutEffect, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { TextArea, TextField } from "../../../browser/parts/Fields.tsx"
import { orNull, useForm } from "../../../browser/parts/Form.ts"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { useImageField } from "../../club/library/ImageField.tsx"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { type ClubViewProps, ofClub } from "../../club/View.ts"
import { SettingsHead } from "./SettingsHead.tsx"

type Club = Schemas["Club"]
type Colors = Schemas["FaceColors"]

const words = spoken(
  {
    accent: "Colour",
    accentHint: "Such as #b4235a. Pages make it darker or lighter until everybody can read it.",
    button: "Go on with the lesson",
    cover: "Cover",
    coverHint: "Above the sign-in and the home page. At most 2 MiB; a wide picture, such as 1600 × 500.",
    dark: "Dark",
    lead: "This is how students see the club where they sign in and learn. Logo and cover are public.",
    light: "Light",
    link: "All courses",
    logo: "Logo",
    logoHint: "Beside the club's name. At most 2 MiB; a square picture.",
    pick: "Pick the colour",
    preview: "Preview",
    save: "Save",
    saved: "Saved",
    title: "Face of the club",
    visit: "Open the classroom",
    welcome: "Greeting",
    welcomeHint: "One sentence for students who sign in."
  },
  {
    accent: "Cor",
    accentHint: "Por exemplo #b4235a. As páginas escurecem ou clareiam a cor até que todos consigam ler.",
    button: "Continuar a aula",
    cover: "Capa",
    coverHint: "Acima da entrada e da página inicial. Até 2 MiB; uma imagem larga, como 1600 × 500.",
    dark: "Escuro",
    lead: "É assim que os alunos veem o clube ao entrar e ao estudar. Logo e capa são públicos.",
    light: "Claro",
    link: "Todos os cursos",
    logo: "Logo",
    logoHint: "Ao lado do nome do clube. Até 2 MiB; uma imagem quadrada.",
    pick: "Escolher a cor",
    preview: "Prévia",
    save: "Salvar",
    saved: "Salvo",
    title: "Aparência do clube",
    visit: "Abrir a sala de aula",
    welcome: "Boas-vindas",
    welcomeHint: "Uma frase para quem está entrando."
  }
)

const hex = /^#[0-9a-f]{6}$/i

interface Looks {
  readonly name: string
  readonly welcome: string
  readonly logo: string | undefined
  readonly cover: string | undefined
  readonly colors: Colors | undefined
}

/** The head of a classroom in one theme, small. */
const Sample = ({ colors, cover, logo, name, theme, welcome }: Looks & { readonly theme: "light" | "dark" }) => {
  const shown = useRef<HTMLDivElement>(null)
  const own = colors?.[theme]
  // The page's policy allows no styles in its HTML.
  useLayoutEffect(() => {
    const style = shown.current?.style
    for (const token of ["accent", "accent_strong", "accent_soft", "on_accent"] as const) {
      const property = `--${token.replace("_", "-")}`
      if (own === undefined) style?.removeProperty(property)
      else style?.setProperty(property, own[token])
    }
  }, [own])
  return (
    <div class="face-sample" data-theme={theme} ref={shown}>
      {cover !== undefined && <img class="cover" src={cover} alt="" />}
      <p class="face-name">
        {logo !== undefined && <img src={logo} alt="" />}
        <strong dir="auto">{name}</strong>
      </p>
      {welcome !== "" && <p dir="auto">{welcome}</p>}
      <p class="row">
        <span class="button">{said(words).button}</span>
        <span class="face-link">{said(words).link}</span>
      </p>
      <p class="small soft">{said(words)[theme]}</p>
    </div>
  )
}

const Edit = ({ club, of }: { readonly club: Membership; readonly of: Club }) => {
  const form = useForm({
    of,
    values: {
      accent: of.accent ?? "",
      welcome: of.welcome ?? "",
      logo_media_id: of.logo_media_id ?? "",
      cover_media_id: of.cover_media_id ?? ""
    },
    send: async (value) => {
      await turma.clubs.update({
        clubId: club.organization_id,
        body: form.changes({
          accent: orNull(value("accent")),
          welcome: orNull(value("welcome")),
          logo_media_id: orNull(value("logo_media_id")),
          cover_media_id: orNull(value("cover_media_id"))
        })
      })
      changed(`${club.organization_id}/club`)
    },
    done: said(words).saved
  })
  const logo = useImageField({ club, form, name: "logo_media_id", label: said(words).logo, hint: said(words).logoHint })
  const cover = useImageField({
    club,
    form,
    name: "cover_media_id",
    label: said(words).cover,
    hint: said(words).coverHint
  })
  const accent = form.value("accent").trim()
  const colors = useRead(
    hex.test(accent) ? `${club.organization_id}/face/${accent.toLowerCase()}` : undefined,
    (signal) => turma.clubs.faceColors({ ...ofClub(club), accent }, { signal })
  )
  const looks = {
    name: of.name,
    welcome: form.value("welcome"),
    logo: logo.url,
    cover: cover.url,
    colors: colors.data?.data
  }
  return (
    <div class="face-edit">
      <form class="card stack" onSubmit={form.submit}>
        {logo.field}
        {cover.field}
        <div class="accent-field">
          <TextField
            form={form}
            name="accent"
            label={said(words).accent}
            hint={said(words).accentHint}
            maxLength={7}
            placeholder="#1d4ed8"
          />
          <input
            type="color"
            aria-label={said(words).pick}
            value={hex.test(accent) ? accent : "#1d4ed8"}
            onInput={(event) => form.set("accent", event.currentTarget.value)}
          />
        </div>
        <TextArea
          form={form}
          name="welcome"
          label={said(words).welcome}
          hint={said(words).welcomeHint}
          rows={2}
          maxLength={300}
        />
        <div class="actions">
          <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).save}</button>
          <a href={`/classroom/${club.organization_id}`} target="_blank" rel="noopener">{said(words).visit}</a>
        </div>
      </form>
      <section class="stack" aria-label={said(words).preview}>
        <Sample {...looks} theme="light" />
        <Sample {...looks} theme="dark" />
      </section>
      {logo.dialog}
      {cover.dialog}
    </div>
  )
}

/** How a club shows itself: logo, cover, colour and greeting, with a preview of both themes. */
export default function Face({ club }: ClubViewProps) {
  const read = useRead(
    `${club.organization_id}/club`,
    (signal) => turma.clubs.get({ clubId: club.organization_id }, { signal })
  )
  return (
    <>
      <SettingsHead club={club} title={said(words).title}>{said(words).lead}</SettingsHead>
      {may(club.role, "administer") && <Shown read={read}>{({ data }) => <Edit club={club} of={data} />}</Shown>}
    </>
  )
}
