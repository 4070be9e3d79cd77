import { bytes } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import type { Media } from "./upload/uploads.ts"

const kinds = spoken<Record<Media["kind"], string>>(
  { audio: "Sound", document: "Document", file: "File", image: "Image", video: "Video" },
  { audio: "Áudio", document: "Documento", file: "Arquivo", image: "Imagem", video: "Vídeo" }
)

const providers: Readonly<Record<string, string>> = {
  bunny: "Bunny",
  mux: "Mux",
  panda: "Panda",
  vimeo: "Vimeo",
  youtube: "YouTube"
}

/** The words of a search of the library. */
export const libraryWords = spoken(
  { none: "Nothing in the library matches", search: "Search by title or file name" },
  { none: "Nada encontrado na biblioteca", search: "Busque por título ou nome do arquivo" }
)

/** A kind of media in a word. */
const kindName = (kind: Media["kind"]): string => said(kinds)[kind]

/** A media record in a few words: `Video, 34.2 MB`. */
export const mediaNote = ({ kind, provider, size_bytes }: Pick<Media, "kind" | "provider" | "size_bytes">): string =>
  [kindName(kind), size_bytes === null ? providers[provider] ?? provider : bytes(size_bytes)].join(", ")
