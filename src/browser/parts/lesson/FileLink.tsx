import type { Schemas } from "../../../sdk/index.ts"
import { bytes } from "../../client/Format.ts"
import { said, spoken } from "../../client/Language.ts"
import { Icon } from "../Icon.tsx"
import type { IconName } from "../icons.ts"

const words = spoken(
  {
    kinds: { audio: "Sound", document: "Document", file: "File", image: "Image", video: "Video" },
    opens: "opens in a new tab"
  },
  {
    kinds: { audio: "Áudio", document: "Documento", file: "Arquivo", image: "Imagem", video: "Vídeo" },
    opens: "abre em outra aba"
  }
)

type ShownMedia = Schemas["ShownMedia"]

/** In capital letters, as people name a type: `PDF`, `DOCX`. */
const typeOf = ({ kind, mime, title }: ShownMedia) => {
  if (mime === "application/pdf") return "PDF"
  const ending = /\.([a-z\d]{2,5})$/i.exec(title)?.[1]
  return ending === undefined ? said(words).kinds[kind] : ending.toUpperCase()
}

const icons: Readonly<Record<ShownMedia["kind"], IconName>> = {
  audio: "live",
  document: "book",
  file: "file",
  image: "file",
  video: "play"
}

/** A page of a PDF in the browser's viewer. */
export const atPage = (url: string, page: number | null | undefined): string =>
  page === null || page === undefined ? url : `${url}#page=${page}`

/** A file to open: its kind, its name and its size. */
export const FileLink = ({ media }: { readonly media: ShownMedia }) => (
  <a class="file-link" href={media.url} target="_blank" rel="noopener">
    <span class="file-kind">
      <Icon name={icons[media.kind]} />
    </span>
    <span class="lesson-words">
      <strong dir="auto">{media.title}</strong>
      <span class="soft small">
        {typeOf(media)}
        {media.size_bytes !== null && ` · ${bytes(media.size_bytes)}`}
        <span class="visually-hidden">, {said(words).opens}</span>
      </span>
    </span>
    <Icon name="next" />
  </a>
)
