import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import type { Membership } from "../Session.ts"
import { ofClub } from "../View.ts"
import type { Media } from "./upload/uploads.ts"

const words = spoken(
  {
    add: "Add the video",
    address: "Its address",
    addressHint: "Paste the address of the video, or the code to embed it.",
    summary: "Add a video from YouTube, Vimeo, Panda, Bunny or Mux",
    title: "Title"
  },
  {
    add: "Adicionar o vídeo",
    address: "Endereço do vídeo",
    addressHint: "Cole o endereço do vídeo ou o código de incorporação.",
    summary: "Adicionar um vídeo do YouTube, Vimeo, Panda, Bunny ou Mux",
    title: "Título"
  }
)

/** A video that a provider shows, as a media record of the library. */
export const HostedForm = (
  { club, onMade }: { readonly club: Membership; readonly onMade?: (media: Media) => void }
) => {
  const form = useForm({
    values: { url: "", title: "" },
    send: async (value) => {
      const { data } = await turma.media.create({
        ...ofClub(club),
        body: { kind: "video", url: value("url").trim(), title: value("title") }
      })
      form.reset({ url: "", title: "" })
      changed(`${club.organization_id}/media`)
      onMade?.(data.media)
    }
  })
  return (
    <details>
      <summary>{said(words).summary}</summary>
      <form class="stack" onSubmit={form.submit}>
        <TextField
          form={form}
          name="url"
          label={said(words).address}
          hint={said(words).addressHint}
          required
          maxLength={2000}
        />
        <TextField form={form} name="title" label={said(words).title} required maxLength={200} />
        <div class="actions">
          <button type="submit" class="quiet" aria-busy={form.isRunning}>{said(words).add}</button>
        </div>
      </form>
    </details>
  )
}
