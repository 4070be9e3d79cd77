import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { withDates } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { go, place, query, setQuery } from "../../../browser/client/Location.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { site } from "../../../browser/client/Site.ts"
import { makeStage } from "../../../browser/parts/lesson/stage.ts"
import { withMarkdown } from "../../../browser/parts/Markdown.tsx"
import { readMarkdown } from "../../../browser/parts/MarkdownReader.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import type { TurmaError } from "../../../sdk/index.ts"
import type { OpenSource } from "../../club/Source.ts"
import { ofClub, to, type ViewProps } from "../../club/View.ts"
import { Blocks } from "./Blocks.tsx"
import { Finish } from "./Finish.tsx"
import { type Lesson as LessonData, lessonKey } from "./lesson.ts"
import { openingIn } from "./source.ts"
import { Talk } from "./Talk.tsx"

const words = spoken(
  {
    empty: "This lesson is still empty",
    emptyText: "Its content is on its way.",
    home: "Go to the start",
    locked: "This lesson is not open yet",
    missing: "You do not have this lesson",
    missingText: "Its course may not be part of your access, or the lesson no longer exists."
  },
  {
    empty: "Esta aula ainda está vazia",
    emptyText: "O conteúdo chega em breve.",
    home: "Ir para o início",
    locked: "Esta aula ainda não abriu",
    missing: "Você não tem esta aula",
    missingText: "O curso pode não fazer parte do seu acesso, ou a aula saiu do ar."
  }
)

withMarkdown(readMarkdown)

/** Shift+N and Shift+P lead on and back, unless somebody is typing. */
const useWays = ({ next, previous }: Pick<LessonData, "next" | "previous">) => {
  useLayoutEffect(() => {
    const press = ({ altKey, ctrlKey, key, metaKey, shiftKey, target }: KeyboardEvent) => {
      if (!shiftKey || altKey || ctrlKey || metaKey) return
      if (target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog")) return
      const way = key === "N" ? next : key === "P" ? previous : null
      if (way !== null && way.locked === null) go(to("lessons", way.public_id))
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [next?.public_id, previous?.public_id])
}

const numberIn = (text: string | null) => text === null || !/^\d{1,6}$/.test(text) ? null : Number(text)

/**
 * Opens the place that the address names: `…?block=<id>`, or `…?media=<id>&page=3` and `…&t=90`. A file is opened once: a
 * reload goes on where the student is.
 */
const useLead = (openSource: OpenSource) => {
  const led = useRef<string>(undefined)
  const { search } = place.value
  useEffect(() => {
    const asked = query.peek()
    const [block_id, media_id] = [asked.get("block"), asked.get("media")]
    if (led.current === search) return
    led.current = search
    if (block_id === null && media_id === null) return
    openSource({ block_id, media_id, page: numberIn(asked.get("page")), seconds: numberIn(asked.get("t")) })
    if (media_id !== null) setQuery({ media: undefined, page: undefined, t: undefined })
  }, [search])
}

const Page = ({ lesson, reload }: { readonly lesson: LessonData; readonly reload: () => void }) => {
  const { blocks, course, module, title } = lesson
  const latest = useRef(reload)
  latest.current = reload
  const stage = useMemo(() => makeStage(() => latest.current()), [lesson.id])
  const marked = useSignal<string>()
  const openSource = useMemo(() => openingIn(blocks, stage, (blockId) => (marked.value = blockId)), [blocks, stage])
  useWays(lesson)
  useLead(openSource)
  return (
    <>
      <article class="lesson">
        <PageHead
          title={title}
          above={[{ label: course.title, to: to("courses", course.public_id) }]}
        >
          <p class="small" dir="auto">{module.title}</p>
        </PageHead>
        {blocks.length === 0
          ? <Empty icon="book" title={said(words).empty}>{said(words).emptyText}</Empty>
          : <Blocks lesson={lesson} stage={stage} marked={marked.value} />}
        <Finish lesson={lesson} />
      </article>
      <Talk lesson={lesson} openSource={openSource} />
    </>
  )
}

const Refused = ({ error }: { readonly error: TurmaError }) => {
  const isLocked = error.code === "lesson_locked"
  const title = isLocked ? said(words).locked : said(words).missing
  return (
    <>
      <PageHead title={title}>{isLocked ? withDates(error.message) : said(words).missingText}</PageHead>
      <div class="actions">
        <a class="button" href={site.root}>{said(words).home}</a>
      </div>
    </>
  )
}

const refusals = new Set(["lesson_locked", "not_found"])

/** A lesson: its blocks in one column, its end, and below it what people and the assistant say. */
const Lesson = ({ params: { lesson = "" } }: ViewProps) => {
  const read = useRead(
    lessonKey(lesson),
    async (signal) => (await turma.classroom.lesson({ ...ofClub, publicId: lesson }, { signal })).data
  )
  if (read.data === undefined && read.error !== undefined && refusals.has(read.error.code)) {
    return <Refused error={read.error} />
  }
  return <Shown read={read}>{(found) => <Page lesson={found} reload={read.reload} />}</Shown>
}

export default Lesson
