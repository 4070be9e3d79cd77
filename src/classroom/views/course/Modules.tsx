import { useSignal } from "@preact/signals"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { courseWords, opening, type Outline, type OutlineLesson, playTime } from "../../club/courses.ts"
import { to } from "../../club/View.ts"

const words = spoken({ next: "up next" }, { next: "a seguir" })

type Module = Outline["modules"][number]

/** Courses of so many lessons show all modules open. Longer ones open the module where the student is. */
const mostOpen = 60

const openingOf = ({ opens_at, reason }: NonNullable<OutlineLesson["locked"]>) =>
  reason === "not_released" && opens_at !== null ? opening(opens_at) : undefined

const detailOf = ({ duration_seconds, kinds, locked }: OutlineLesson): string =>
  [
    locked === null ? undefined : openingOf(locked),
    ...kinds.map((kind) => said(courseWords).kinds[kind]),
    duration_seconds === null || duration_seconds === 0 ? undefined : playTime(duration_seconds)
  ].filter((part) => part !== undefined).join(" · ")

const stateOf = ({ completed, locked }: OutlineLesson, isNext: boolean) => {
  if (locked !== null) return { name: "locked", icon: "lock", text: said(courseWords).locked } as const
  if (completed) return { name: "done", icon: "check", text: said(courseWords).completed } as const
  return isNext
    ? { name: "next", icon: "play", text: said(words).next } as const
    : { name: "open", icon: undefined, text: undefined } as const
}

const Row = ({ isNext, lesson }: { readonly lesson: OutlineLesson; readonly isNext: boolean }) => {
  const { icon, name, text } = stateOf(lesson, isNext)
  const detail = detailOf(lesson)
  const content = (
    <>
      <span class={`lesson-mark ${name}`}>{icon !== undefined && <Icon name={icon} />}</span>
      <span class="lesson-words">
        <span dir="auto">{lesson.title}</span>
        {text !== undefined && <span class="visually-hidden">, {text}</span>}
        {detail !== "" && <span class="soft small">{detail}</span>}
      </span>
    </>
  )
  return (
    <li>
      {lesson.locked === null
        ? <a class="lesson-row" href={to("lessons", lesson.public_id)}>{content}</a>
        : <div class="lesson-row locked">{content}</div>}
    </li>
  )
}

const countOf = ({ lessons }: Module) => lessons.filter(({ completed }) => completed).length

const ModulePart = ({ isFirstOpen, isLocked, module, next }: {
  readonly module: Module
  readonly isLocked: boolean
  readonly next: string | null
  readonly isFirstOpen: boolean
}) => {
  // The rows of a closed module come when it is opened.
  const isOpen = useSignal(isFirstOpen)
  const { lessons, title } = module
  return (
    <details
      class="module"
      open={isOpen.value}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>
        <h2 dir="auto">{title}</h2>
        <span class="soft small number">
          <span aria-hidden="true">{isLocked ? lessons.length : `${countOf(module)}/${lessons.length}`}</span>
          <span class="visually-hidden">{said(courseWords).lessons(countOf(module), lessons.length)}</span>
        </span>
      </summary>
      {isOpen.value && (
        <ol class="lesson-list">
          {lessons.map((lesson) => <Row key={lesson.id} lesson={lesson} isNext={lesson.public_id === next} />)}
        </ol>
      )}
    </details>
  )
}

/** The modules of a course with their lessons: completed ones, the next one, and locked ones with their opening. */
export const Modules = ({ isLocked, modules, next }: {
  readonly modules: ReadonlyArray<Module>
  readonly next: string | null
  /** True if the student has no access to the course. */
  readonly isLocked: boolean
}) => {
  const count = modules.reduce((sum, { lessons }) => sum + lessons.length, 0)
  const current = modules.find(({ lessons }) => lessons.some(({ public_id }) => public_id === next)) ?? modules[0]
  return (
    <div class="modules">
      {modules.map((module) => (
        <ModulePart
          key={module.id}
          module={module}
          next={next}
          isLocked={isLocked}
          isFirstOpen={count <= mostOpen || module === current}
        />
      ))}
    </div>
  )
}
