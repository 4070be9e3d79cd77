import { turma } from "../../../../browser/client/Api.ts"
import { dateTime, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { Shown } from "../../../../browser/parts/States.tsx"
import type { StudentProps } from "./Reads.ts"

const words = spoken(
  {
    erased: (moment: string) => `Erased on ${moment}. The receipt stays readable for 90 days.`,
    nothing: "There was nothing else to erase.",
    title: "What was erased"
  },
  {
    erased: (moment: string) => `Apagado em ${moment}. O recibo fica disponível por 90 dias.`,
    nothing: "Não havia mais nada a apagar.",
    title: "O que foi apagado"
  }
)

const kinds = spoken<Readonly<Record<string, string>>>(
  {
    access_reasons: "Reasons for changes of access",
    ask_conversations: "Conversations with the assistant",
    ask_messages: "Messages of the assistant",
    audit_entries: "Entries of the audit log, emptied",
    bodies: "Bodies of webhook messages",
    canceled: "Webhook messages canceled",
    comment_marks: "Reactions, reports, mentions and images of comments",
    comments: "Comments",
    credential_requests: "Requests for a password or a code",
    enrollments: "Accesses taken away",
    facts: "Events emptied",
    inbound_bodies: "Messages of sales platforms",
    kept_answers: "Kept answers of the API",
    mails: "Mails",
    media: "Uploaded files",
    one_time_tokens: "Codes that were mailed",
    point_reasons: "Reasons for points",
    posts: "Posts",
    quiz_attempts: "Attempts at quizzes",
    responses: "Answers of webhook receivers",
    sessions: "Sessions",
    sign_ups: "Unfinished sign-ups",
    submissions: "Submissions",
    support_conversations: "Support conversations",
    support_messages: "Support messages"
  },
  {
    access_reasons: "Motivos de mudanças de acesso",
    ask_conversations: "Conversas com o assistente",
    ask_messages: "Mensagens do assistente",
    audit_entries: "Registros da auditoria, esvaziados",
    bodies: "Conteúdos de mensagens de webhook",
    canceled: "Mensagens de webhook canceladas",
    comment_marks: "Reações, denúncias, menções e imagens de comentários",
    comments: "Comentários",
    credential_requests: "Pedidos de senha ou código",
    enrollments: "Acessos retirados",
    facts: "Eventos esvaziados",
    inbound_bodies: "Mensagens de plataformas de vendas",
    kept_answers: "Respostas guardadas da API",
    mails: "E-mails",
    media: "Arquivos enviados",
    one_time_tokens: "Códigos enviados por e-mail",
    point_reasons: "Motivos de pontos",
    posts: "Posts",
    quiz_attempts: "Tentativas de quiz",
    responses: "Respostas de receptores de webhook",
    sessions: "Sessões",
    sign_ups: "Inscrições não concluídas",
    submissions: "Tarefas entregues",
    support_conversations: "Conversas de suporte",
    support_messages: "Mensagens de suporte"
  }
)

/** A kind that has no name here yet is shown as the API calls it. */
const nameOf = (kind: string) => said(kinds)[kind] ?? kind.replaceAll("_", " ")

/** The receipt of a removal: how many records of each kind were erased. */
export const Receipt = ({ club, student }: StudentProps) => {
  const receipt = useRead(`${club.organization_id}/students/${student.id}/erasure`, async (signal) => {
    const { data } = await turma.students.erasure(
      { clubId: club.organization_id, studentId: student.id },
      { signal }
    )
    return data
  })
  return (
    <section class="card stack" aria-labelledby="receipt">
      <h2 id="receipt">{said(words).title}</h2>
      <Shown read={receipt}>
        {({ counts, erased_at }) => {
          const found = Object.entries(counts).filter(([, count]) => count > 0)
          return (
            <>
              <p class="soft">{said(words).erased(dateTime(erased_at))}</p>
              {found.length === 0 ? <p>{said(words).nothing}</p> : (
                <dl class="facts receipt">
                  {found.map(([kind, count]) => [
                    <dt key={kind}>{nameOf(kind)}</dt>,
                    <dd key={`${kind} count`} class="number">{number(count)}</dd>
                  ])}
                </dl>
              )}
            </>
          )
        }}
      </Shown>
    </section>
  )
}
