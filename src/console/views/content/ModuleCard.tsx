import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { clock } from "../../../browser/parts/Moment.tsx"
import { Order } from "../../../browser/parts/Order.tsx"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, ofClub } from "../../club/View.ts"
import { AddForm } from "./AddForm.tsx"
import { OpeningNote } from "./Opening.tsx"
import { courseKey, type Part } from "./outline.ts"
import { countsOf } from "./publication.ts"
import { PublicationBadge } from "./Publishing.tsx"
import { TitleDialog } from "./TitleDialog.tsx"

const words = spoken(
  {
    add: (module: string) => `New lesson in ${module}`,
    blocks: (blocks: number) => counted(blocks, "1 block", `${number(blocks)} blocks`),
    blocksNone: "empty",
    counts: (live: number, all: number) =>
      counted(all, `${number(live)} of 1 lesson live`, `${number(live)} of ${number(all)} lessons live`),
    goes: (lessons: string, live: string) =>
      `Its lessons are deleted too: ${lessons}, ${live} of them live. Students stop seeing them.`,
    keeps: "Students' completions and points are kept. Students who lacked only these lessons complete the course.",
    lessons: (module: string) => `Lessons of ${module}`,
    remove: "Delete",
    removeAction: "Delete the module",
    removed: "The module is deleted",
    removeOf: (title: string) => `Delete ${title}`,
    removeTitle: "Delete this module?",
    edit: "Edit",
    editOf: (title: string) => `Edit ${title}`
  },
  {
    add: (module: string) => `Nova aula em ${module}`,
    blocks: (blocks: number) => counted(blocks, "1 bloco", `${number(blocks)} blocos`),
    blocksNone: "vazia",
    counts: (live: number, all: number) =>
      counted(all, `${number(live)} de 1 aula no ar`, `${number(live)} de ${number(all)} aulas no ar`),
    goes: (lessons: string, live: string) =>
      `As aulas dele também são excluídas: ${lessons}, ${live} no ar. Os alunos deixam de ver essas aulas.`,
    keeps: "As conclusões e os pontos dos alunos ficam. Para quem só faltavam essas aulas, o curso fica concluído.",
    lessons: (module: string) => `Aulas de ${module}`,
    remove: "Excluir",
    removeAction: "Excluir o módulo",
    removed: "O módulo foi excluído",
    removeOf: (title: string) => `Excluir ${title}`,
    removeTitle: "Excluir este módulo?",
    edit: "Editar",
    editOf: (title: string) => `Editar ${title}`
  }
)

interface CardProps {
  readonly club: Membership
  readonly courseId: string
  readonly part: Part
}

const ModuleActions = ({ club, courseId, part }: CardProps) => {
  const { id, lessons, title } = part
  const isOpen = useSignal<"" | "edit" | "remove">("")
  const close = () => (isOpen.value = "")
  const params = { ...ofClub(club), moduleId: id }
  const after = () => changed(courseKey(club, courseId))
  return (
    <div class="actions">
      <button
        type="button"
        class="quiet"
        aria-label={said(words).editOf(title)}
        onClick={() => (isOpen.value = "edit")}
      >
        {said(words).edit}
      </button>
      <MoreMenu of={title}>
        <MenuEntry
          icon="remove"
          isDangerous
          label={said(words).remove}
          name={said(words).removeOf(title)}
          act={() => (isOpen.value = "remove")}
        />
      </MoreMenu>
      {isOpen.value === "edit" && (
        <TitleDialog
          title={said(words).edit}
          of={part}
          values={{ title }}
          opening={part}
          send={async (_, { module_id: __, public_id: ___, ...body }) => {
            await turma.courses.updateModule({ ...params, body })
            after()
          }}
          onClose={close}
        />
      )}
      {isOpen.value === "remove" && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            await turma.courses.removeModule(params)
            after()
          }}
          onClose={close}
        >
          <p>{said(words).goes(number(lessons.length), number(countsOf(lessons, clock.value).live))}</p>
          <p>{said(words).keeps}</p>
        </Confirm>
      )}
    </div>
  )
}

/** A module with its lessons. */
export const ModuleCard = ({ club, courseId, part }: CardProps) => {
  const { id: moduleId, lessons, title: moduleTitle } = part
  const mayTeach = may(club.role, "teach")
  const params = { ...ofClub(club), moduleId }
  const key = courseKey(club, courseId)
  const { live } = countsOf(lessons, clock.value)
  return (
    <section class="stack" aria-label={moduleTitle}>
      <div class="line">
        <div class="line-words">
          <h2 dir="auto">{moduleTitle}</h2>
          <span class="soft small">{said(words).counts(live, lessons.length)}</span>
          <OpeningNote of={part} />
        </div>
        {mayTeach && <ModuleActions club={club} courseId={courseId} part={part} />}
      </div>
      {lessons.length > 0 && (
        <Order
          label={said(words).lessons(moduleTitle)}
          items={lessons}
          keyOf={({ id }) => id}
          nameOf={({ title }) => title}
          isFixed={!mayTeach}
          save={(ids) => turma.lessons.order({ ...params, body: { ids: [...ids] } })}
          after={() => changed(key)}
        >
          {({ blocks_count, id, published_at, title, ...opening }) => (
            <div class="line">
              <div class="line-words">
                <a href={clubPage(club, "content", "lessons", id)} dir="auto">{title}</a>
                <OpeningNote of={opening} />
              </div>
              <span class="row">
                <span class="soft small">
                  {blocks_count === 0 ? said(words).blocksNone : said(words).blocks(blocks_count)}
                </span>
                <PublicationBadge published_at={published_at} />
              </span>
            </div>
          )}
        </Order>
      )}
      {mayTeach && (
        <AddForm
          label={said(words).add(moduleTitle)}
          add={async (title) => {
            await turma.lessons.create({ ...params, body: { title } })
            changed(key)
          }}
        />
      )}
    </section>
  )
}
