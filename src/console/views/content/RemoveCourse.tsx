import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"

const words = spoken(
  {
    action: "Delete the course",
    done: "The course is deleted",
    goes: (modules: string, many: boolean) =>
      `Its ${modules} ${many ? "modules" : "module"}, all their lessons and comments are deleted too.`,
    keeps: "Students' completions and points are kept. This cannot be undone.",
    title: "Delete this course?",
    typed: "Type its title to go on"
  },
  {
    action: "Excluir o curso",
    done: "O curso foi excluído",
    goes: (modules: string, many: boolean) =>
      `${many ? `Os ${modules} módulos` : `O ${modules} módulo`}, as aulas e os comentários também são excluídos.`,
    keeps: "As conclusões e os pontos dos alunos ficam. Não dá para desfazer.",
    title: "Excluir este curso?",
    typed: "Digite o título para continuar"
  }
)

interface RemoveCourseProps {
  readonly club: Membership
  readonly course: Schemas["Course"]
  readonly onClose: () => void
  readonly done: () => void
}

/** Says what goes with a course before it goes. */
export const RemoveCourse = ({ club, course, done, onClose }: RemoveCourseProps) => {
  const modules = useRead(
    `${club.organization_id}/course-modules/${course.id}`,
    (signal) => turma.courses.listModules({ ...ofClub(club), courseId: course.id }, { signal })
  )
  return (
    <Confirm
      title={said(words).title}
      action={said(words).action}
      isDangerous
      typed={{ label: `${said(words).typed}: ${course.title}`, text: course.title.trim() }}
      done={said(words).done}
      work={async () => {
        await turma.courses.remove({ ...ofClub(club), courseId: course.id })
        done()
      }}
      onClose={onClose}
    >
      <Shown read={modules}>
        {({ data }) => <p>{said(words).goes(number(data.length), data.length !== 1)}</p>}
      </Shown>
      <p>{said(words).keeps}</p>
    </Confirm>
  )
}
