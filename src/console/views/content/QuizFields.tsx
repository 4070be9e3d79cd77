import { number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { newQuestion, type OptionDraft, type QuestionDraft, quizLimits, withAt, withoutAt } from "./quiz.ts"

const words = spoken(
  {
    addOption: "Add an answer",
    addQuestion: "Add a question",
    correct: (option: string) => `Answer ${option} is correct`,
    hint: "Tick the answers that are correct.",
    legend: (place: string) => `Question ${place}`,
    option: (option: string) => `Answer ${option}`,
    removeOption: (option: string) => `Remove answer ${option}`,
    removeQuestion: (place: string) => `Remove question ${place}`,
    text: "What is asked"
  },
  {
    addOption: "Adicionar uma resposta",
    addQuestion: "Adicionar uma pergunta",
    correct: (option: string) => `A resposta ${option} está certa`,
    hint: "Marque as respostas certas.",
    legend: (place: string) => `Pergunta ${place}`,
    option: (option: string) => `Resposta ${option}`,
    removeOption: (option: string) => `Remover a resposta ${option}`,
    removeQuestion: (place: string) => `Remover a pergunta ${place}`,
    text: "Enunciado"
  }
)

interface QuestionProps {
  readonly question: QuestionDraft
  readonly place: number
  readonly change: (question: QuestionDraft) => void
  readonly remove: () => void
}

const OptionLine = (
  { canGo, change, option, place, remove }: {
    readonly option: OptionDraft
    readonly place: string
    readonly canGo: boolean
    readonly change: (option: OptionDraft) => void
    readonly remove: () => void
  }
) => (
  <div class="answer-line">
    <input
      type="checkbox"
      aria-label={said(words).correct(place)}
      title={said(words).correct(place)}
      checked={option.correct}
      onChange={({ currentTarget }) => change({ ...option, correct: currentTarget.checked })}
    />
    <input
      aria-label={said(words).option(place)}
      placeholder={said(words).option(place)}
      maxLength={500}
      value={option.text}
      onInput={({ currentTarget }) => change({ ...option, text: currentTarget.value })}
    />
    <button
      type="button"
      class="quiet square"
      disabled={!canGo}
      aria-label={said(words).removeOption(place)}
      onClick={remove}
    >
      <Icon name="close" />
    </button>
  </div>
)

const QuestionFields = ({ change, place, question, remove }: QuestionProps) => {
  const { options } = question
  return (
    <fieldset class="stack">
      <legend>{said(words).legend(number(place + 1))}</legend>
      <textarea
        rows={2}
        aria-label={said(words).text}
        placeholder={said(words).text}
        maxLength={1000}
        value={question.text}
        onInput={({ currentTarget }) => change({ ...question, text: currentTarget.value })}
      />
      <p class="hint">{said(words).hint}</p>
      {options.map((option, index) => (
        <OptionLine
          key={option.id ?? `new ${index}`}
          option={option}
          place={number(index + 1)}
          canGo={options.length > quizLimits.fewestOptions}
          change={(next) => change({ ...question, options: withAt(options, index, next) })}
          remove={() => change({ ...question, options: withoutAt(options, index) })}
        />
      ))}
      <div class="actions">
        <button
          type="button"
          class="quiet"
          disabled={options.length >= quizLimits.options}
          onClick={() => change({ ...question, options: [...options, { text: "", correct: false }] })}
        >
          {said(words).addOption}
        </button>
        <button type="button" class="quiet" onClick={remove}>
          {said(words).removeQuestion(number(place + 1))}
        </button>
      </div>
    </fieldset>
  )
}

/** The questions of a quiz, to be written. */
export const QuizFields = (
  { change, questions }: {
    readonly questions: ReadonlyArray<QuestionDraft>
    readonly change: (questions: ReadonlyArray<QuestionDraft>) => void
  }
) => (
  <>
    {questions.map((question, place) => (
      <QuestionFields
        key={question.id ?? `new ${place}`}
        question={question}
        place={place}
        change={(next) => change(withAt(questions, place, next))}
        remove={() => change(withoutAt(questions, place))}
      />
    ))}
    <div class="actions">
      <button
        type="button"
        class="quiet"
        disabled={questions.length >= quizLimits.questions}
        onClick={() => change([...questions, newQuestion])}
      >
        {said(words).addQuestion}
      </button>
    </div>
  </>
)
