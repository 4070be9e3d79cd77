import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { SelectField, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"
import type { Media } from "./upload/uploads.ts"

const words = spoken(
  {
    add: "Add the video",
    external: "The video's id there",
    externalHint:
      "YouTube: the 11 characters. Vimeo: the number. Panda and Bunny: library, “/” and video. Mux: the playback id.",
    provider: "Provider",
    summary: "Add a video from YouTube, Vimeo, Panda, Bunny or Mux",
    title: "Title"
  },
  {
    add: "Adicionar o vídeo",
    external: "Id do vídeo no provedor",
    externalHint:
      "YouTube: os 11 caracteres. Vimeo: o número. Panda e Bunny: biblioteca, “/” e vídeo. Mux: o id de reprodução.",
    provider: "Provedor",
    summary: "Adicionar um vídeo do YouTube, Vimeo, Panda, Bunny ou Mux",
    title: "Título"
  }
)

const providers = ["youtube", "vimeo", "panda", "bunny", "mux"] as const

/** A video that a provider shows, as a media record of the library. */
export const HostedForm = (
  { club, onMade }: { readonly club: Membership; readonly onMade?: (media: Media) => void }
) => {
  const form = useForm({
    values: { provider: "youtube", external_id: "", title: "" },
    send: async (value) => {
      const provider = providers.find((one) => one === value("provider")) ?? "youtube"
      const { data } = await turma.media.create({
        ...ofClub(club),
        body: { kind: "video", provider, external_id: value("external_id").trim(), title: value("title") }
      })
      form.reset({ provider, external_id: "", title: "" })
      changed(`${club.organization_id}/media`)
      onMade?.(data.media)
    }
  })
  return (
    <details>
      <summary>{said(words).summary}</summary>
      <form class="stack" onSubmit={form.submit}>
        <SelectField
          form={form}
          name="provider"
          label={said(words).provider}
          choices={providers.map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) }))}
        />
        <TextField
          form={form}
          name="external_id"
          label={said(words).external}
          hint={said(words).externalHint}
          required
          maxLength={255}
        />
        <TextField form={form} name="title" label={said(words).title} required maxLength={200} />
        <div class="actions">
          <button type="submit" class="quiet" aria-busy={form.isRunning}>{said(words).add}</button>
        </div>
      </form>
    </details>
  )
}
