import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { clock } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubTime } from "../../club/ClubZone.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub } from "../../club/View.ts"
import { Blocks } from "./Blocks.tsx"
import { OpeningNote } from "./Opening.tsx"
import { courseKey } from "./outline.ts"
import { publicationOf } from "./publication.ts"
import { PublicationBadge, Publishing } from "./Publishing.tsx"
import { contentWords } from "./shared.ts"
import { TitleDialog } from "./TitleDialog.tsx"

const words = spoken(
  {
    draft: "Students do not see it: it is a draft.",
    edit: "Edit",
    goes: "Everything in it and the comments on it are deleted too. Students stop seeing it.",
    keeps:
      "Students' completions and points are kept. Students who lacked only this lesson complete the course. This cannot be undone.",
    live: (moment: string) => `Visible since ${moment} to students who have the course.`,
    preview: "Preview as a student",
    remove: "Delete the lesson",
    removeAction: "Delete the lesson",
    removed: "The lesson is deleted",
    removeTitle: "Delete this lesson?",
    scheduled: (moment: string) => `Visible from ${moment} on to students who have the course.`,
    taken:
      "Students no longer see it. Their completions are kept, and students who lacked only this lesson complete the course."
  },
  {
    draft: "Os alunos não veem esta aula: é um rascunho.",
    edit: "Editar",
    goes: "O conteúdo da aula e os comentários também são excluídos. Os alunos deixam de ver a aula.",
    keeps:
      "As conclusões e os pontos dos alunos ficam. Para quem só faltava esta aula, o curso fica concluído. Não dá para desfazer.",
    live: (moment: string) => `Visível desde ${moment} para os alunos que têm o curso.`,
    preview: "Ver como aluno",
    remove: "Excluir a aula",
    removeAction: "Excluir a aula",
    removed: "A aula foi excluída",
    removeTitle: "Excluir esta aula?",
    scheduled: (moment: string) => `Visível a partir de ${moment} para os alunos que têm o curso.`,
    taken:
      "Os alunos deixam de ver a aula. As conclusões ficam, e para quem só faltava esta aula o curso fica concluído."
  }
)

interface LessonProps {
  readonly club: Membership
  readonly lesson: Schemas["Lesson"]
}

const lessonKey = (club: Membership, id: string) => `${club.organization_id}/lessons/${id}`

const sentenceOf = ({ published_at }: Schemas["Lesson"]) => {
  const state = publicationOf({ published_at }, clock.value)
  return state === "draft" ? said(words).draft : said(words)[state](clubTime(published_at ?? ""))
}

const EditLesson = ({ club, lesson, onClose }: LessonProps & { readonly onClose: () => void }) => {
  const modules = useRead(
    `${club.organization_id}/course-modules/${lesson.course_id}`,
    (signal) => turma.courses.listModules({ ...ofClub(club), courseId: lesson.course_id }, { signal })
  )
  return (
    <Shown read={modules}>
      {({ data }) => (
        <TitleDialog
          title={said(words).edit}
          of={lesson}
          values={{ title: lesson.title, public_id: lesson.public_id, module_id: lesson.module_id }}
          opening={lesson}
          modules={data.map(({ id, title }) => ({ value: id, label: title }))}
          send={async (_, body) => {
            await turma.lessons.update({ ...ofClub(club), lessonId: lesson.id, body })
            changed(lessonKey(club, lesson.id), courseKey(club, lesson.course_id))
          }}
          onClose={onClose}
        />
      )}
    </Shown>
  )
}

const LessonActions = ({ club, lesson }: LessonProps) => {
  const isOpen = useSignal<"" | "edit" | "remove">("")
  const close = () => (isOpen.value = "")
  const params = { ...ofClub(club), lessonId: lesson.id }
  return (
    <>
      <Publishing
        published_at={lesson.published_at}
        publish={async (published_at) => {
          await turma.lessons.publish({ ...params, body: { published_at } })
          changed(lessonKey(club, lesson.id), courseKey(club, lesson.course_id))
        }}
      >
        <p>{said(words).taken}</p>
      </Publishing>
      <button type="button" class="quiet" onClick={() => (isOpen.value = "edit")}>{said(words).edit}</button>
      <MoreMenu>
        <MenuEntry icon="remove" isDangerous label={said(words).remove} act={() => (isOpen.value = "remove")} />
      </MoreMenu>
      {isOpen.value === "edit" && <EditLesson club={club} lesson={lesson} onClose={close} />}
      {isOpen.value === "remove" && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            await turma.lessons.remove(params)
            go(clubPage(club, "content", "courses", lesson.course_id), { replace: true })
            changed(courseKey(club, lesson.course_id))
          }}
          onClose={close}
        >
          <p>{said(words).goes}</p>
          <p>{said(words).keeps}</p>
        </Confirm>
      )}
    </>
  )
}

/** A lesson: whether students see it, and its blocks. */
export default function LessonPage({ club, params }: ClubViewProps) {
  const lessonId = params["lesson"] ?? ""
  const lesson = useRead(
    lessonKey(club, lessonId),
    (signal) => turma.lessons.get({ ...ofClub(club), lessonId }, { signal })
  )
  const courseId = lesson.data?.data.course_id
  const course = useRead(
    courseId === undefined ? undefined : `${club.organization_id}/courses/${courseId}`,
    (signal) => turma.courses.get({ ...ofClub(club), courseId: courseId ?? "" }, { signal })
  )
  return (
    <Shown read={lesson}>
      {({ data }) => (
        <>
          <PageHead
            title={data.title}
            badge={<PublicationBadge published_at={data.published_at} />}
            above={[
              { label: said(contentWords).courses, to: clubPage(club, "content") },
              { label: course.data?.data.title ?? "…", to: clubPage(club, "content", "courses", data.course_id) }
            ]}
            actions={
              <>
                <a class="button quiet" href={clubPage(club, "content", "lessons", data.id, "preview")}>
                  {said(words).preview}
                </a>
                {may(club.role, "teach") && <LessonActions club={club} lesson={data} />}
              </>
            }
          >
            {sentenceOf(data)} <OpeningNote of={data} />
          </PageHead>
          <Blocks club={club} lessonId={lessonId} />
        </>
      )}
    </Shown>
  )
}
