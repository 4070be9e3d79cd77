import { useSignal } from "@preact/signals"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { AssignmentCard, WorkField } from "../../../browser/parts/lesson/AssignmentCard.tsx"
import { LessonBlocks } from "../../../browser/parts/lesson/LessonBlocks.tsx"
import { keepsNothing } from "../../../browser/parts/lesson/places.ts"
import { QuizBlock } from "../../../browser/parts/lesson/QuizBlock.tsx"
import { makeStage } from "../../../browser/parts/lesson/stage.ts"
import { loadMarkdown } from "../../../browser/parts/Markdown.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub } from "../../club/View.ts"
import { contentWords } from "./shared.ts"

const words = spoken(
  {
    desk: "Computer",
    empty: "The lesson is still empty",
    emptyText: "Students see here what you add to it.",
    lead: "As students read it once it is live and open to them. Nothing that you do here is sent.",
    phone: "Phone",
    title: (lesson: string) => `Preview: ${lesson}`,
    width: "Width"
  },
  {
    desk: "Computador",
    empty: "A aula ainda está vazia",
    emptyText: "Os alunos veem aqui o que você adicionar.",
    lead: "Como os alunos leem a aula quando ela está no ar e aberta para eles. Nada do que você faz aqui é enviado.",
    phone: "Celular",
    title: (lesson: string) => `Prévia: ${lesson}`,
    width: "Largura"
  }
)

type Preview = Schemas["LessonPreview"]
type PreviewBlock = Preview["blocks"][number]

loadMarkdown()

/** A quiz to look at: its answers stay here. */
const Quiz = ({ block }: { readonly block: Extract<PreviewBlock, { kind: "quiz" }> }) => {
  const text = useSignal("")
  const set = (next: string) => {
    text.value = next
  }
  return (
    <QuizBlock
      block={{ ...block, last_attempt: null }}
      draft={{ text: text.value, set, clear: () => set("") }}
      sending={undefined}
    />
  )
}

/** Gives what is below it the colours of the club's classroom. */
const useClubColors = (club: Membership) => {
  const place = useRef<HTMLDivElement>(null)
  const own = useRead(
    `${club.organization_id}/club`,
    (signal) => turma.clubs.get({ clubId: club.organization_id }, { signal })
  )
  const accent = own.data?.data.accent ?? undefined
  const colors = useRead(
    accent === undefined ? undefined : `${club.organization_id}/face/${accent}`,
    (signal) => turma.clubs.faceColors({ ...ofClub(club), accent: accent ?? "" }, { signal })
  )
  const found = colors.data?.data
  // The page's policy allows no styles in its HTML.
  useLayoutEffect(() => {
    if (found === undefined) return
    for (const token of ["accent", "accent_strong", "accent_soft", "on_accent"] as const) {
      place.current?.style.setProperty(
        `--${token.replace("_", "-")}`,
        `light-dark(${found.light[token]}, ${found.dark[token]})`
      )
    }
  }, [found])
  return place
}

const widths = ["phone", "desk"] as const

const Lesson = ({ club, lesson, reload }: {
  readonly club: Membership
  readonly lesson: Preview
  readonly reload: () => void
}) => {
  const width = useSignal<(typeof widths)[number]>("desk")
  const latest = useRef(reload)
  latest.current = reload
  const stage = useMemo(() => makeStage(() => latest.current()), [lesson.id])
  const place = useClubColors(club)
  return (
    <>
      <div class="chosen preview-widths" role="group" aria-label={said(words).width}>
        {widths.map((one) => (
          <button
            key={one}
            type="button"
            class="quiet"
            aria-pressed={width.value === one}
            onClick={() => (width.value = one)}
          >
            {said(words)[one]}
          </button>
        ))}
      </div>
      <div class={`as-student of-${width.value}`} ref={place}>
        <article class="lesson">
          <header>
            <p class="small">
              <span dir="auto">{lesson.course.title}</span>
            </p>
            <h2 class="lesson-title" dir="auto">{lesson.title}</h2>
            <p class="soft small" dir="auto">{lesson.module.title}</p>
          </header>
          {lesson.blocks.length === 0
            ? <Empty icon="book" title={said(words).empty}>{said(words).emptyText}</Empty>
            : (
              <LessonBlocks
                blocks={lesson.blocks}
                stage={stage}
                quiz={(block) => <Quiz block={block} />}
                assignment={(block) => (
                  <AssignmentCard block={block}>
                    <WorkField text="" change={undefined} />
                  </AssignmentCard>
                )}
                placeOf={() => undefined}
                keeperOf={() => keepsNothing}
              />
            )}
        </article>
      </div>
    </>
  )
}

/** A lesson as students read it, live or not. Nothing is kept or sent. */
export default function LessonPreview({ club, params }: ClubViewProps) {
  const lessonId = params["lesson"] ?? ""
  const lesson = useRead(
    `${club.organization_id}/lessons/${lessonId}/preview`,
    (signal) => turma.lessonPreviews.get({ ...ofClub(club), lessonId }, { signal })
  )
  return (
    <Shown read={lesson}>
      {({ data }) => (
        <>
          <PageHead
            title={said(words).title(data.title)}
            above={[
              { label: said(contentWords).courses, to: clubPage(club, "content") },
              { label: data.course.title, to: clubPage(club, "content", "courses", data.course.id) },
              { label: data.title, to: clubPage(club, "content", "lessons", data.id) }
            ]}
          >
            {said(words).lead}
          </PageHead>
          <Lesson club={club} lesson={data} reload={lesson.reload} />
        </>
      )}
    </Shown>
  )
}
