import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import type { Schemas } from "../../../sdk/index.ts"
import { counted, percent } from "../../client/Format.ts"
import { said, spoken } from "../../client/Language.ts"
import { Icon } from "../Icon.tsx"
import type { BlockOf } from "./lessonBlock.ts"
import { type Answers, firstOpen, keptAnswers } from "./quiz.ts"

const words = spoken(
  {
    again: "Try again",
    answer: "Choose an answer first.",
    back: "Back",
    correct: "right",
    failed: (share: string) => `You need ${share} to pass. You can try as often as you like.`,
    next: "Next",
    once: "Take it again",
    passed: "You passed",
    question: (at: number, all: number) => `Question ${at} of ${all}`,
    questions: (count: number, share: string) =>
      `${count} ${counted(count, "question", "questions")}, ${share} to pass`,
    quiz: "Quiz",
    result: (share: string, right: number, all: number) => `${share}: ${right} of ${all} right`,
    scored: (share: string) => `Your last result: ${share}`,
    send: "Send answers",
    tryMore: "Not passed yet",
    wrong: "wrong"
  },
  {
    again: "Tentar de novo",
    answer: "Escolha uma resposta primeiro.",
    back: "Voltar",
    correct: "certa",
    failed: (share: string) => `Você precisa de ${share} para passar. Pode tentar quantas vezes quiser.`,
    next: "Próxima",
    once: "Fazer de novo",
    passed: "Você passou",
    question: (at: number, all: number) => `Pergunta ${at} de ${all}`,
    questions: (count: number, share: string) =>
      `${count} ${counted(count, "pergunta", "perguntas")}, ${share} para passar`,
    quiz: "Questionário",
    result: (share: string, right: number, all: number) => `${share}: ${right} de ${all} certas`,
    scored: (share: string) => `Seu último resultado: ${share}`,
    send: "Enviar respostas",
    tryMore: "Ainda não passou",
    wrong: "errada"
  }
)

type Attempt = Schemas["QuizAttempt"]
type Quiz = BlockOf<"quiz">

/** The answers of an attempt that is not sent yet, as a text. */
interface KeptText {
  readonly text: string
  readonly set: (text: string) => void
  readonly clear: () => void
}

/** The way of the answers to the service. */
interface Sending {
  /** Undefined if they did not arrive, which a message says. */
  readonly send: (answers: Answers) => Promise<Attempt | undefined>
  /** The points that an attempt has earned. */
  readonly reward: (points: number) => ComponentChildren
}

const share = (points: number) => percent(points / 100)

/** The result of this page's attempt, or of the last one before. */
const Result = ({ again, block, reward, scored }: {
  readonly block: Quiz
  readonly scored: Attempt | undefined
  readonly again: () => void
  readonly reward: Sending["reward"]
}) => {
  const shown = useRef<HTMLDivElement>(null)
  // The button that sent the answers had the focus, and is no longer there.
  useLayoutEffect(() => {
    if (scored !== undefined) shown.current?.focus()
  }, [scored])
  const last = scored ?? block.last_attempt
  if (last === null) return null
  const results = scored?.results ?? []
  return (
    <div class="quiz-result" ref={shown} tabIndex={-1}>
      <div class={last.passed ? "notice good" : "notice waiting"} role="status">
        <strong>{last.passed ? said(words).passed : said(words).tryMore}</strong>
        <p>
          {scored === undefined
            ? said(words).scored(share(last.percent))
            : said(words).result(share(scored.percent), scored.correct_count, scored.questions_count)}
        </p>
        {!last.passed && <p>{said(words).failed(share(block.pass_percent))}</p>}
      </div>
      {results.length > 0 && (
        <ol class="quiz-marks">
          {results.map(({ correct, question_id }) => (
            <li key={question_id} class={correct ? "right" : "wrong-answer"}>
              <Icon name={correct ? "check" : "close"} />
              <span>
                <span dir="auto">{block.questions.find(({ id }) => id === question_id)?.text}</span>
                <span class="visually-hidden">: {correct ? said(words).correct : said(words).wrong}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {scored !== undefined && reward(scored.points_awarded)}
      <div class="actions">
        <button type="button" class="quiet" onClick={again}>
          {last.passed ? said(words).once : said(words).again}
        </button>
      </div>
    </div>
  )
}

/** One question at a time, as large as a thumb needs it. */
const Questions = ({ answers, block, choose, isAgain, isSent, send }: {
  readonly block: Quiz
  /** True if the student has just asked for the questions. */
  readonly isAgain: boolean
  readonly answers: Answers
  readonly choose: (question: string, option: string) => void
  /** False in a preview, which sends nothing. */
  readonly isSent: boolean
  readonly send: () => Promise<void>
}) => {
  const id = useId()
  const at = useSignal(Math.max(0, firstOpen(block, answers) ?? block.questions.length - 1))
  const isMissing = useSignal(false)
  const isRunning = useSignal(false)
  const legend = useRef<HTMLLegendElement>(null)
  useLayoutEffect(() => {
    if (isAgain) legend.current?.focus()
  }, [])
  const all = block.questions.length
  const question = block.questions[Math.min(at.value, all - 1)]
  if (question === undefined) return null
  const show = (index: number) => {
    at.value = index
    isMissing.value = false
    // The next question is read out, and keys go on from there.
    requestAnimationFrame(() => legend.current?.focus())
  }
  const isLast = at.value >= all - 1
  const goOn = async (event: Event) => {
    event.preventDefault()
    if (isRunning.peek() || isLast && !isSent) return
    if (answers[question.id] === undefined) {
      isMissing.value = true
      return
    }
    const open = firstOpen(block, answers)
    if (!isLast) show(at.peek() + 1)
    else if (open !== undefined) show(open)
    else {
      isRunning.value = true
      await send()
      isRunning.value = false
    }
  }
  return (
    <form class="stack" onSubmit={goOn} noValidate>
      <fieldset class="question" aria-describedby={isMissing.value ? `${id}-missing` : undefined}>
        <legend ref={legend} tabIndex={-1}>
          <span class="soft small">{said(words).question(at.value + 1, all)}</span>
          <span dir="auto">{question.text}</span>
        </legend>
        {question.options.map((option) => (
          <label key={option.id} class="option">
            <input
              type="radio"
              name={`${id}-${question.id}`}
              checked={answers[question.id] === option.id}
              onChange={() => {
                isMissing.value = false
                choose(question.id, option.id)
              }}
            />
            <span dir="auto">{option.text}</span>
          </label>
        ))}
      </fieldset>
      {isMissing.value && <p class="wrong" id={`${id}-missing`} role="alert">{said(words).answer}</p>}
      <div class="actions quiz-ways">
        {at.value > 0 && (
          <button type="button" class="quiet" onClick={() => show(at.peek() - 1)}>{said(words).back}</button>
        )}
        <button
          type="submit"
          class={isLast ? "" : "quiet"}
          disabled={isLast && !isSent}
          aria-busy={isRunning.value}
        >
          {isLast ? said(words).send : said(words).next}
        </button>
      </div>
    </form>
  )
}

/** A quiz: a question after the other, then how it went. Without `sending` it is a preview, and nothing is sent. */
export const QuizBlock = ({ block, draft, sending }: {
  readonly block: Quiz
  readonly draft: KeptText
  readonly sending: Sending | undefined
}) => {
  const id = useId()
  const scored = useSignal<Attempt | undefined>(undefined)
  const isTaken = useSignal(block.last_attempt === null || draft.text !== "")
  const isAgain = useRef(false)
  const answers = keptAnswers(block, draft.text)
  const send = async () => {
    const result = await sending?.send(answers)
    if (result === undefined) return
    scored.value = result
    draft.clear()
    isTaken.value = false
  }
  return (
    <section class="card stack quiz" aria-labelledby={id}>
      <header class="block-head">
        <h2 id={id} dir="auto">{block.title ?? said(words).quiz}</h2>
        <p class="soft small">{said(words).questions(block.questions.length, share(block.pass_percent))}</p>
      </header>
      {isTaken.value || sending === undefined
        ? (
          <Questions
            block={block}
            answers={answers}
            isAgain={isAgain.current}
            choose={(question, option) => draft.set(JSON.stringify({ ...answers, [question]: option }))}
            isSent={sending !== undefined}
            send={send}
          />
        )
        : (
          <Result
            block={block}
            scored={scored.value}
            reward={sending.reward}
            again={() => {
              isAgain.current = true
              scored.value = undefined
              isTaken.value = true
            }}
          />
        )}
    </section>
  )
}
