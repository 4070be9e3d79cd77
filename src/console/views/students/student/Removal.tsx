import { turma } from "../../../client/Api.ts"
import { number } from "../../../client/Format.ts"
import { said, spoken } from "../../../client/Language.ts"
import { go } from "../../../client/Location.ts"
import { clubPage } from "../../../client/View.ts"
import { Confirm } from "../../../parts/Dialog.tsx"
import { studentChanged, type StudentProps } from "./Reads.ts"

const words = spoken(
  {
    accesses: (count: number) =>
      count === 1
        ? "1 access is revoked, and every session ends."
        : `${number(count)} accesses are revoked, and every session ends.`,
    done: "The student was removed",
    erased:
      "Name, address and document are erased, with what the person wrote and uploaded: comments, posts, support conversations, questions, submissions.",
    remove: "Remove for good",
    sent:
      "Your webhooks get student.removed, which has the id alone. Messages about the person that wait are not sent, and all lose their bodies.",
    stays: "The rest says nothing of the person: purchases, points and progress without a name.",
    title: "Remove this student?",
    typed: "Type the address to confirm",
    undone: "This cannot be undone. A receipt says afterwards what was erased."
  },
  {
    accesses: (count: number) =>
      count === 1
        ? "1 acesso é retirado, e todas as sessões terminam."
        : `${number(count)} acessos são retirados, e todas as sessões terminam.`,
    done: "O aluno foi removido",
    erased:
      "Nome, endereço e documento são apagados, com o que a pessoa escreveu e enviou: comentários, posts, conversas de suporte, perguntas, entregas de tarefas.",
    remove: "Remover de vez",
    sent:
      "Seus webhooks recebem student.removed, só com o id. Mensagens sobre a pessoa que esperam não são enviadas, e todas perdem o conteúdo.",
    stays: "O que fica não diz nada da pessoa: compras, pontos e progresso sem nome.",
    title: "Remover este aluno?",
    typed: "Digite o endereço para confirmar",
    undone: "Isto não pode ser desfeito. Um recibo diz depois o que foi apagado."
  }
)

/** Removes a student after the person has read the consequence. Leads to the receipt. */
export const Removal = ({ club, onClose, student }: StudentProps & { readonly onClose: () => void }) => {
  const remove = async () => {
    await turma.students.remove({ clubId: club.organization_id, studentId: student.id })
    studentChanged(club, student.id)
    go(clubPage(club, "students", student.id))
  }
  const open = student.enrollments.filter(({ revoked_at }) => revoked_at === null)
  return (
    <Confirm
      title={said(words).title}
      action={said(words).remove}
      isDangerous
      typed={{ label: `${said(words).typed}: ${student.email}`, text: student.email }}
      done={said(words).done}
      work={remove}
      onClose={onClose}
    >
      <p dir="auto">
        <strong>{student.name}</strong>
      </p>
      <ul class="consequences">
        <li>{said(words).erased}</li>
        <li>{said(words).accesses(open.length)}</li>
        <li>{said(words).sent}</li>
        <li>{said(words).stays}</li>
      </ul>
      <p class="notice bad">{said(words).undone}</p>
    </Confirm>
  )
}
