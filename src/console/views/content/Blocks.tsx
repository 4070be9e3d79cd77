import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { number, percent } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { Markdown } from "../../../browser/parts/Markdown.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Order } from "../../../browser/parts/Order.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { useTextImages } from "../../club/library/LibraryText.tsx"
import { mediaNote } from "../../club/library/mediaWords.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"
import { BlockForm } from "./BlockForm.tsx"
import { type Block, blockIcons, blockKinds, blockName, blockTitle } from "./blockWords.ts"
import { Reading } from "./Reading.tsx"

const words = spoken(
  {
    add: "Add to the lesson",
    blocks: "The lesson's blocks",
    edit: "Edit",
    editOf: (title: string) => `Edit ${title}`,
    empty: "The lesson is empty",
    emptyText: "Texts, videos, files, quizzes and assignments appear here in the order students see them.",
    goes: "Students no longer see it. Their submissions and answers are kept. This cannot be undone.",
    none: "Its content no longer exists",
    pass: (questions: string, share: string) => `Questions: ${questions}; passed with ${share}`,
    remove: "Remove",
    removeAction: "Remove it",
    removed: "Removed",
    removeOf: (title: string) => `Remove ${title}`,
    removeTitle: "Remove this from the lesson?"
  },
  {
    add: "Adicionar à aula",
    blocks: "Blocos da aula",
    edit: "Editar",
    editOf: (title: string) => `Editar ${title}`,
    empty: "A aula está vazia",
    emptyText: "Textos, vídeos, arquivos, questionários e tarefas ficam aqui na ordem em que os alunos veem.",
    goes: "Os alunos deixam de ver. O que já enviaram e responderam fica guardado. Não dá para desfazer.",
    none: "O conteúdo não existe mais",
    pass: (questions: string, share: string) => `Perguntas: ${questions}; passa com ${share}`,
    remove: "Remover",
    removeAction: "Remover",
    removed: "Removido",
    removeOf: (title: string) => `Remover ${title}`,
    removeTitle: "Remover isto da aula?"
  }
)

const ShownMedia = ({ club, id }: { readonly club: Membership; readonly id: string }) => {
  const media = useRead(
    `${club.organization_id}/media/one/${id}`,
    (signal) => turma.media.get({ ...ofClub(club), mediaId: id }, { signal })
  )
  if (media.data === undefined) return media.error === undefined ? null : <p class="soft">{said(words).none}</p>
  const { data } = media.data
  return (
    <>
      <p>
        <span dir="auto">{data.title}</span> <span class="soft small">{mediaNote(data)}</span>
      </p>
      {data.mime === "application/pdf" && may(club.role, "teach") && <Reading club={club} mediaId={id} />}
    </>
  )
}

/** The block as students read it. */
const Summary = ({ block, club }: { readonly club: Membership; readonly block: Block }) => {
  const { body, media_id, pass_percent, questions } = block
  const images = useTextImages(club, body ?? "")
  if (media_id !== null) return <ShownMedia club={club} id={media_id} />
  if (questions !== null) {
    return <p class="soft">{said(words).pass(number(questions.length), percent((pass_percent ?? 0) / 100))}</p>
  }
  return <Markdown text={body ?? ""} images={images} />
}

interface BlockCardProps {
  readonly club: Membership
  readonly block: Block
  readonly after: () => void
}

const BlockCard = ({ after, block, club }: BlockCardProps) => {
  const isOpen = useSignal<"" | "edit" | "remove">("")
  const close = () => (isOpen.value = "")
  const title = blockTitle(block)
  return (
    <>
      <div class="line">
        <div class="line-words">
          <h3 dir="auto">
            <Icon name={blockIcons[block.kind]} />
            {title}
          </h3>
          {block.title !== null && <span class="soft small">{blockName(block.kind)}</span>}
        </div>
        {may(club.role, "teach") && (
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
          </div>
        )}
      </div>
      <Summary club={club} block={block} />
      {isOpen.value === "edit" && (
        <BlockForm
          club={club}
          lessonId={block.lesson_id}
          kind={block.kind}
          block={block}
          after={after}
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
            await turma.lessons.removeBlock({ ...ofClub(club), blockId: block.id })
            after()
          }}
          onClose={close}
        >
          <p dir="auto">{title}</p>
          <p>{said(words).goes}</p>
        </Confirm>
      )}
    </>
  )
}

/** The blocks of a lesson. */
export const Blocks = ({ club, lessonId }: { readonly club: Membership; readonly lessonId: string }) => {
  const adding = useSignal<Block["kind"] | undefined>(undefined)
  const key = `${club.organization_id}/blocks/${lessonId}`
  const mayTeach = may(club.role, "teach")
  const blocks = useRead(key, (signal) => turma.lessons.listBlocks({ ...ofClub(club), lessonId }, { signal }))
  const after = () => changed(key)
  return (
    <>
      <Shown read={blocks}>
        {({ data }) =>
          data.length === 0
            ? <Empty icon="document" title={said(words).empty}>{said(words).emptyText}</Empty>
            : (
              <Order
                label={said(words).blocks}
                items={data}
                keyOf={({ id }) => id}
                nameOf={blockTitle}
                isFixed={!mayTeach}
                save={(ids) => turma.lessons.orderBlocks({ ...ofClub(club), lessonId, body: { ids: [...ids] } })}
                after={after}
              >
                {(block) => <BlockCard club={club} block={block} after={after} />}
              </Order>
            )}
      </Shown>
      {mayTeach && (
        <section class="stack" aria-labelledby="add-block">
          <h2 id="add-block">{said(words).add}</h2>
          <div class="actions">
            {blockKinds.map((kind) => (
              <button key={kind} type="button" class="quiet" onClick={() => (adding.value = kind)}>
                <Icon name={blockIcons[kind]} />
                {blockName(kind)}
              </button>
            ))}
          </div>
        </section>
      )}
      {adding.value !== undefined && (
        <BlockForm
          club={club}
          lessonId={lessonId}
          kind={adding.value}
          block={undefined}
          after={after}
          onClose={() => (adding.value = undefined)}
        />
      )}
    </>
  )
}
