import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { clock } from "../../../browser/parts/Moment.tsx"
import { Order } from "../../../browser/parts/Order.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub } from "../../club/View.ts"
import { AddForm } from "./AddForm.tsx"
import { CourseFacts } from "./CourseFacts.tsx"
import { ModuleCard } from "./ModuleCard.tsx"
import { courseKey, type Outline } from "./outline.ts"
import { countsOf } from "./publication.ts"
import { RemoveCourse } from "./RemoveCourse.tsx"
import { contentWords } from "./shared.ts"

const words = spoken(
  {
    addModule: "New module",
    empty: "This course has no modules yet",
    emptyText: "Modules hold the lessons. Add the first one below.",
    modules: "Modules",
    none: "Students see nothing of it: no lesson is live.",
    remove: "Delete the course",
    some: (live: number, all: number) =>
      counted(all, `${number(live)} of 1 lesson `, `${number(live)} of ${number(all)} lessons `) +
      counted(
        live,
        "is live: students who have the course see it.",
        "are live: students who have the course see them."
      ),
    waiting: (count: string) => `${count} scheduled.`
  },
  {
    addModule: "Novo módulo",
    empty: "Este curso ainda não tem módulos",
    emptyText: "As aulas ficam dentro dos módulos. Adicione o primeiro abaixo.",
    modules: "Módulos",
    none: "Os alunos não veem nada dele: nenhuma aula está no ar.",
    remove: "Excluir o curso",
    some: (live: number, all: number) =>
      counted(all, `${number(live)} de 1 aula `, `${number(live)} de ${number(all)} aulas `) +
      counted(
        live,
        "está no ar: visível para os alunos que têm o curso.",
        "estão no ar: visíveis para os alunos que têm o curso."
      ),
    waiting: (count: string) => `${count} com data marcada.`
  }
)

const sentenceOf = ({ modules }: Outline) => {
  const lessons = modules.flatMap(({ lessons }) => lessons)
  const { live, scheduled } = countsOf(lessons, clock.value)
  const first = live === 0 ? said(words).none : said(words).some(live, lessons.length)
  return scheduled === 0 ? first : `${first} ${said(words).waiting(number(scheduled))}`
}

const Modules = ({ club, outline }: { readonly club: Membership; readonly outline: Outline }) => {
  const { id: courseId, modules } = outline
  const key = courseKey(club, courseId)
  const mayTeach = may(club.role, "teach")
  return (
    <>
      {modules.length === 0 && <Empty icon="book" title={said(words).empty}>{mayTeach && said(words).emptyText}</Empty>}
      <Order
        label={said(words).modules}
        items={modules}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        isFixed={!mayTeach}
        save={(ids) => turma.courses.orderModules({ ...ofClub(club), courseId, body: { ids: [...ids] } })}
        after={() => changed(key)}
      >
        {(part) => <ModuleCard club={club} courseId={courseId} part={part} />}
      </Order>
      {mayTeach && (
        <AddForm
          label={said(words).addModule}
          add={async (title) => {
            await turma.courses.createModule({ ...ofClub(club), courseId, body: { title } })
            changed(key)
          }}
        />
      )}
    </>
  )
}

/** A course with its modules and their lessons. */
export default function CoursePage({ club, params }: ClubViewProps) {
  const isOpen = useSignal<"" | "remove">("")
  const courseId = params["course"] ?? ""
  const courses = `${club.organization_id}/courses`
  const outline = useRead(
    courseKey(club, courseId),
    (signal) => turma.courses.outline({ ...ofClub(club), courseId }, { signal })
  )
  const close = () => (isOpen.value = "")
  return (
    <Shown read={outline}>
      {({ data }) => (
        <>
          <PageHead
            title={data.title}
            above={[{ label: said(contentWords).courses, to: clubPage(club, "content") }]}
            actions={may(club.role, "teach") && (
              <MoreMenu>
                <MenuEntry
                  icon="remove"
                  isDangerous
                  label={said(words).remove}
                  act={() => (isOpen.value = "remove")}
                />
              </MoreMenu>
            )}
          >
            {sentenceOf(data)}
          </PageHead>
          {may(club.role, "teach") && <CourseFacts club={club} course={data} after={() => changed(courses)} />}
          <Modules club={club} outline={data} />
          {isOpen.value === "remove" && (
            <RemoveCourse
              club={club}
              course={data}
              onClose={close}
              done={() => {
                go(clubPage(club, "content"), { replace: true })
                changed(courses)
              }}
            />
          )}
        </>
      )}
    </Shown>
  )
}
