import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import type { Schemas } from "../../../sdk/index.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"

type DocumentReading = Schemas["Reading"]

const words = spoken(
  {
    because: {
      broken: "The assistant cannot read it: the file is broken or needs a password.",
      crashed: "The assistant cannot read it: every attempt failed.",
      memory: "The assistant cannot read it: it takes too much memory.",
      missing: "The assistant cannot read it: the file is not there.",
      nothing: "The assistant finds no text in it: its pages have no letters.",
      pictures:
        "The assistant finds no text in it: its pages are pictures, like those from a scanner. Run text recognition (OCR) and upload it again.",
      time: "The assistant cannot read it: it takes too long.",
      too_large: "The assistant cannot read it: it is larger than 50 MiB."
    },
    no_text: "The assistant finds no text in it.",
    read: "The assistant has read it.",
    reading: "The assistant is reading it.",
    unreadable: "The assistant cannot read it.",
    waiting: "The assistant has not read it yet."
  },
  {
    because: {
      broken: "O assistente não consegue ler: o arquivo está danificado ou tem senha.",
      crashed: "O assistente não consegue ler: todas as tentativas falharam.",
      memory: "O assistente não consegue ler: o arquivo exige memória demais.",
      missing: "O assistente não consegue ler: o arquivo não foi encontrado.",
      nothing: "O assistente não encontrou texto: as páginas não têm letras.",
      pictures:
        "O assistente não encontrou texto: as páginas são imagens, como as de um scanner. Passe o arquivo por um OCR e envie de novo.",
      time: "O assistente não consegue ler: a leitura demora demais.",
      too_large: "O assistente não consegue ler: o arquivo tem mais de 50 MiB."
    },
    no_text: "O assistente não encontrou texto.",
    read: "O assistente já leu.",
    reading: "O assistente está lendo.",
    unreadable: "O assistente não consegue ler.",
    waiting: "O assistente ainda não leu."
  }
)

const sentenceOf = ({ reason, status }: DocumentReading) =>
  reason === null ? said(words)[status] : said(words).because[reason]

/** The assistant's result for a PDF. Renders nothing until it is known. */
export const Reading = ({ club, mediaId }: { readonly club: Membership; readonly mediaId: string }) => {
  const { data: answer } = useRead(
    `${club.organization_id}/media/one/${mediaId}/reading`,
    (signal) => turma.transcripts.reading({ ...ofClub(club), mediaId }, { signal })
  )
  if (answer === undefined) return null
  const isWrong = answer.data.status === "no_text" || answer.data.status === "unreadable"
  return <p class={isWrong ? "wrong" : "soft small"}>{sentenceOf(answer.data)}</p>
}
