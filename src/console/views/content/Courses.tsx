import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { allOf } from "../../../browser/client/Lists.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Cover } from "../../../browser/parts/Cover.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Order } from "../../../browser/parts/Order.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { type LibraryImage, useImages } from "../../club/library/useImages.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub, useCommands } from "../../club/View.ts"
import { RemoveCourse } from "./RemoveCourse.tsx"
import { contentTabs, contentWords } from "./shared.ts"
import { TitleDialog } from "./TitleDialog.tsx"

const words = spoken(
  {
    create: "New course",
    empty: "There are no courses yet",
    emptyText:
      "A course holds modules, and modules hold lessons. Students see its live lessons once a delivery contains the course.",
    lead: (count: string, many: boolean) => `${count} ${many ? "courses" : "course"}, in the order students see them.`,
    live: (lessons: number) => counted(lessons, "1 lesson live", `${number(lessons)} lessons live`),
    liveNone: "nothing live",
    none: "Nothing is published yet: students see no lesson.",
    remove: "Delete",
    rename: "Rename",
    renameOf: (title: string) => `Rename ${title}`,
    removeOf: (title: string) => `Delete ${title}`
  },
  {
    create: "Novo curso",
    empty: "Ainda não há cursos",
    emptyText:
      "Um curso tem módulos, e cada módulo tem aulas. Os alunos veem as aulas no ar quando uma entrega inclui o curso.",
    lead: (count: string, many: boolean) => `${count} ${many ? "cursos" : "curso"}, na ordem em que os alunos veem.`,
    live: (lessons: number) => counted(lessons, "1 aula no ar", `${number(lessons)} aulas no ar`),
    liveNone: "nada no ar",
    none: "Nada foi publicado ainda: os alunos não veem nenhuma aula.",
    remove: "Excluir",
    rename: "Renomear",
    renameOf: (title: string) => `Renomear ${title}`,
    removeOf: (title: string) => `Excluir ${title}`
  }
)

type Course = Schemas["Course"]

/** The key of the reads of a club's courses. */
const keyOf = (club: Membership) => `${club.organization_id}/courses`

interface RowProps {
  readonly club: Membership
  readonly course: Course
  readonly cover: LibraryImage | undefined
}

const Row = ({ club, course, cover }: RowProps) => {
  const isOpen = useSignal<"" | "rename" | "remove">("")
  const close = () => (isOpen.value = "")
  return (
    <div class="line course-line">
      <a class="course-cover" href={clubPage(club, "content", "courses", course.id)} tabIndex={-1} aria-hidden="true">
        <Cover name={course.cover_media_id ?? course.public_id} title={course.title} image={cover?.media ?? null} />
      </a>
      <div class="line-words">
        <a href={clubPage(club, "content", "courses", course.id)} dir="auto">{course.title}</a>
        <span class="soft small">
          {course.live_lessons === 0 ? said(words).liveNone : said(words).live(course.live_lessons)}
        </span>
      </div>
      {may(club.role, "teach") && (
        <MoreMenu of={course.title}>
          <MenuEntry
            icon="write"
            label={said(words).rename}
            name={said(words).renameOf(course.title)}
            act={() => (isOpen.value = "rename")}
          />
          <MenuEntry
            icon="remove"
            isDangerous
            label={said(words).remove}
            name={said(words).removeOf(course.title)}
            act={() => (isOpen.value = "remove")}
          />
        </MoreMenu>
      )}
      {isOpen.value === "rename" && (
        <TitleDialog
          title={said(words).rename}
          of={course}
          values={{ title: course.title, public_id: course.public_id }}
          send={async (_, body) => {
            await turma.courses.update({ ...ofClub(club), courseId: course.id, body })
            changed(keyOf(club))
          }}
          onClose={close}
        />
      )}
      {isOpen.value === "remove" && (
        <RemoveCourse
          club={club}
          course={course}
          onClose={close}
          done={() => changed(keyOf(club))}
        />
      )}
    </div>
  )
}

/** The courses of a club. */
export default function Courses({ club }: ClubViewProps) {
  const isCreating = useSignal(false)
  const mayTeach = may(club.role, "teach")
  const courses = useRead(
    keyOf(club),
    (signal) => allOf(turma.courses.list({ ...ofClub(club), limit: 100 }, { signal }))
  )
  const covers = useImages(club, (courses.data ?? []).flatMap(({ cover_media_id: id }) => id ?? []))
  const create = () => (isCreating.value = true)
  useCommands(mayTeach ? [{ label: said(words).create, keys: "n", run: create }] : [])
  const count = courses.data?.length ?? 0
  const isNothingLive = courses.data?.every(({ live_lessons }) => live_lessons === 0) === true
  return (
    <>
      <PageHead
        title={said(contentWords).courses}
        actions={mayTeach && <button type="button" onClick={create}>{said(words).create}</button>}
      >
        {count > 0 && said(words).lead(number(count), count !== 1)}
        {count > 0 && isNothingLive && ` ${said(words).none}`}
      </PageHead>
      <Tabs {...contentTabs(club)} />
      <Shown read={courses}>
        {(all) =>
          all.length === 0
            ? <Empty icon="book" title={said(words).empty}>{said(words).emptyText}</Empty>
            : (
              <Order
                label={said(contentWords).courses}
                items={all}
                keyOf={({ id }) => id}
                nameOf={({ title }) => title}
                isFixed={!mayTeach}
                save={(ids) => turma.courses.order({ ...ofClub(club), body: { ids: [...ids] } })}
                after={() => changed(keyOf(club))}
              >
                {(course) => (
                  <Row
                    club={club}
                    course={course}
                    cover={covers.find(({ media_id }) => media_id === course.cover_media_id)}
                  />
                )}
              </Order>
            )}
      </Shown>
      {isCreating.value && (
        <TitleDialog
          title={said(words).create}
          values={{ title: "", public_id: "" }}
          send={async (body) => {
            const { data } = await turma.courses.create({ ...ofClub(club), body })
            changed(keyOf(club))
            go(clubPage(club, "content", "courses", data.id))
          }}
          onClose={() => (isCreating.value = false)}
        />
      )}
    </>
  )
}
