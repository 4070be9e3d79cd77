import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { wishFor } from "../../../browser/client/Wishes.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { tellFailure } from "../../../browser/parts/Toasts.tsx"
import { courseWords, opening } from "../../club/courses.ts"
import { mayMoveFocus } from "../../club/focus.ts"
import { ofClub, to } from "../../club/View.ts"
import { type Lesson, touchedKeys } from "./lesson.ts"
import { Reward } from "./Reward.tsx"

const words = spoken(
  {
    complete: "Complete lesson",
    completed: "Lesson completed",
    courseDone: "You have completed the whole course!",
    next: "Next lesson",
    previous: "Previous lesson",
    toCourse: "Back to the course",
    undo: "Undo",
    ways: "Other lessons"
  },
  {
    complete: "Concluir aula",
    completed: "Aula concluída",
    courseDone: "Você concluiu o curso inteiro!",
    next: "Próxima aula",
    previous: "Aula anterior",
    toCourse: "Voltar ao curso",
    undo: "Desfazer",
    ways: "Outras aulas"
  }
)

/** The mark that a lesson is completed: shown at once, and taken back if the service refuses it. */
const useCompletion = ({ completed, course, public_id }: Lesson) => {
  const wish = useSignal<boolean | undefined>(undefined)
  const points = useSignal(0)
  const isCourseDone = useSignal(false)
  useEffect(() => {
    if (wish.peek() === completed) wish.value = undefined
  }, [completed])
  const known = useRef(completed)
  known.current = completed
  const send = async (isCompleted: boolean) => {
    const lesson = { ...ofClub, publicId: public_id }
    if (!isCompleted) {
      await turma.classroom.undo(lesson)
      return
    }
    const { data } = await turma.classroom.complete(lesson)
    points.value = data.points_awarded
    isCourseDone.value = data.course.progress.percent === 100
  }
  /** Until the lesson is read as the service has it now. */
  const settle = (isCompleted: boolean) => {
    wish.value = known.current === isCompleted ? undefined : isCompleted
  }
  const change = (isGiven: boolean) => {
    wish.value = isGiven
    points.value = 0
    isCourseDone.value = false
    void wishFor(`${public_id} completion`, {
      isGiven,
      send,
      done: (isCompleted) => {
        settle(isCompleted)
        changed(...touchedKeys(public_id, course.public_id))
      },
      failed: (isCompleted, thrown) => {
        settle(isCompleted)
        if (wish.peek() !== undefined) changed(...touchedKeys(public_id, course.public_id))
        tellFailure(thrown)
      }
    })
  }
  return { isCompleted: wish.value ?? completed, points: points.value, isCourseDone: isCourseDone.value, change }
}

type Neighbour = NonNullable<Lesson["next"]>

const Way = ({ className, label, lesson, shortcut }: {
  readonly className: string
  readonly label: string
  readonly lesson: Neighbour
  readonly shortcut: string
}) => {
  const { locked, public_id, title } = lesson
  const words = (
    <span class="lesson-words">
      <span class="small">{label}</span>
      <strong dir="auto">{title}</strong>
      {locked !== null && (
        <span class="small">
          {locked.opens_at === null ? said(courseWords).locked : opening(locked.opens_at)}
        </span>
      )}
    </span>
  )
  return locked === null
    ? <a class={className} href={to("lessons", public_id)} aria-keyshortcuts={shortcut}>{words}</a>
    : (
      <div class={`${className} locked`}>
        <Icon name="lock" />
        {words}
      </div>
    )
}

/** The end of a lesson: completing it, and the ways on and back. The next lesson is the way on once it is completed. */
export const Finish = ({ lesson }: { readonly lesson: Lesson }) => {
  const { change, isCompleted, isCourseDone, points } = useCompletion(lesson)
  const { course, next, previous } = lesson
  const line = useRef<HTMLDivElement>(null)
  const isPressed = useRef(false)
  const press = (isDone: boolean) => {
    isPressed.current = true
    change(isDone)
  }
  // The pressed button is no longer there, so its place has the focus.
  useLayoutEffect(() => {
    if (!isPressed.current || !mayMoveFocus(line.current)) return
    line.current?.querySelector<HTMLElement>(".finished, .complete")?.focus()
  }, [isCompleted])
  return (
    <footer class="finish">
      <div class="finish-line" ref={line}>
        {isCompleted
          ? (
            <>
              <p class="finished" role="status" tabIndex={-1}>
                <span class="lesson-mark done">
                  <Icon name="check" />
                </span>
                <strong>{said(words).completed}</strong>
              </p>
              <button type="button" class="link" onClick={() => press(false)}>{said(words).undo}</button>
            </>
          )
          : (
            <button type="button" class="complete" onClick={() => press(true)}>
              <Icon name="check" />
              {said(words).complete}
            </button>
          )}
      </div>
      {isCompleted && <Reward points={points} />}
      {isCompleted && isCourseDone && <p class="notice good" role="status">{said(words).courseDone}</p>}
      <nav class="lesson-ways" aria-label={said(words).ways}>
        {previous === null
          ? <span />
          : <Way className="way-back" label={said(words).previous} lesson={previous} shortcut="Shift+P" />}
        {next === null
          ? (
            <a class="way-on" href={to("courses", course.public_id)}>
              <span class="lesson-words">
                <span class="small">{said(words).toCourse}</span>
                <strong dir="auto">{course.title}</strong>
              </span>
            </a>
          )
          : (
            <Way
              className={isCompleted && next.locked === null ? "way-on button" : "way-on"}
              label={said(words).next}
              lesson={next}
              shortcut="Shift+N"
            />
          )}
      </nav>
    </footer>
  )
}
