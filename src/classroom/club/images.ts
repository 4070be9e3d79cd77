import { turma } from "../../browser/client/Api.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { ofClub } from "./View.ts"

const words = spoken(
  {
    failed: "The image could not be sent. Try again.",
    large: "An image may have 10 MB at most.",
    other: "Only images go here: PNG, JPEG, GIF or WebP."
  },
  {
    failed: "Não foi possível enviar a imagem. Tente de novo.",
    large: "A imagem pode ter no máximo 10 MB.",
    other: "Aqui só entram imagens: PNG, JPEG, GIF ou WebP."
  }
)

/** In bytes: the most that the API takes for comments and questions. */
const most = 10 * 1024 * 1024

/** The types of images that the API takes, as a file field lists them. */
export const imageTypes = "image/png,image/jpeg,image/gif,image/webp"

/** Sends an image for a comment or a question, and answers the id of its record. */
export const sendImage = async (
  file: File,
  purpose: "comment" | "ask",
  signal: AbortSignal
): Promise<string> => {
  if (!imageTypes.split(",").includes(file.type)) throw new Error(said(words).other)
  if (file.size > most) throw new Error(said(words).large)
  const body = { file_name: file.name, mime: file.type, size_bytes: file.size, purpose }
  const { data: { media, upload } } = await turma.classroomMedia.create({ ...ofClub, body }, { signal })
  if (upload !== null) {
    const sent = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: file, signal })
    if (!sent.ok) throw new Error(said(words).failed)
  }
  await turma.classroomMedia.complete({ ...ofClub, mediaId: media.id }, { signal })
  return media.id
}
