import { turma } from "../../../../browser/client/Api.ts"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import { clubPage } from "../../../club/View.ts"
import { studentChanged, type StudentProps } from "./Reads.ts"

const words = spoken(
  {
    accesses: (count: number) =>
      count === 1
        ? "1 access is revoked, and every session ends."
        : `${number(count)} accesses are revoked, and every session ends.`,
    done: "The student was removed",
    erased:
      "Name, address and document are erased. So are the person's texts and uploads: comments, posts, support conversations, questions, submissions.",
    remove: "Remove for good",
    sent:
      "Your webhooks get student.removed, with only the id. Waiting messages about the person are canceled, and all messages about them lose their bodies.",
    stays: "Purchases, points and progress stay, without a name.",
    title: "Remove this student?",
    typed: "Type the address to confirm",
    undone: "This cannot be undone. A receipt says afterwards what was erased."
  },
  {
    accesses: (count: number) =>
      count === 1
        ? "1 acesso é retirado, e todas as sessões são encerradas."
        : `${number(count)} acessos são retirados, e todas as sessões são encerradas.`,
    done: "O aluno foi removido",
    erased:
      "Nome, e-mail e documento são apagados, e também o que a pessoa escreveu e enviou: comentários, posts, conversas de suporte, perguntas, tarefas entregues.",
    remove: "Remover definitivamente",
    sent:
      "Seus webhooks recebem student.removed, só com o id. As mensagens sobre a pessoa que ainda não saíram são canceladas, e todas perdem o conteúdo.",
    stays: "Compras, pontos e progresso ficam, sem nome.",
    title: "Remover este aluno?",
    typed: "Digite o e-mail para confirmar",
    undone: "Não dá para desfazer. Depois, um recibo mostra o que foi apagado."
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
