import { counted, number } from "../../../browser/client/Format.ts"
import { spoken } from "../../../browser/client/Language.ts"

/** The words of the views of repositories. */
export const words = spoken(
  {
    by: (name: string) => `By ${name}`,
    download: "Download",
    downloadOf: (title: string) => `Download ${title}`,
    empty: "There are no files here yet",
    emptyText: "As soon as the teacher adds one, you find it here.",
    files: (count: number) => counted(count, "1 file", `${number(count)} files`),
    kinds: { audio: "Audio", document: "Document", file: "File", image: "Picture", video: "Video" },
    look: "Open",
    none: "Your files appear here",
    noneText: "Scores, exercises, books: what your courses give you to keep is in folders on this page.",
    notShown: "The picture could not be shown. Download it instead.",
    title: "Files"
  },
  {
    by: (name: string) => `De ${name}`,
    download: "Baixar",
    downloadOf: (title: string) => `Baixar ${title}`,
    empty: "Ainda não há arquivos aqui",
    emptyText: "Assim que o professor incluir um, ele aparece aqui.",
    files: (count: number) => counted(count, "1 arquivo", `${number(count)} arquivos`),
    kinds: { audio: "Áudio", document: "Documento", file: "Arquivo", image: "Imagem", video: "Vídeo" },
    look: "Abrir",
    none: "Seus arquivos aparecem aqui",
    noneText: "Apostilas, exercícios, partituras: o material dos seus cursos fica em pastas nesta página.",
    notShown: "Não foi possível mostrar a imagem. Baixe o arquivo para ver.",
    title: "Arquivos"
  }
)
