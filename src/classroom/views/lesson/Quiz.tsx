import { turma } from "../../../browser/client/Api.ts"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { changed } from "../../../browser/client/Reads.ts"
import type { BlockOf } from "../../../browser/parts/lesson/lessonBlock.ts"
import type { Answers } from "../../../browser/parts/lesson/quiz.ts"
import { QuizBlock } from "../../../browser/parts/lesson/QuizBlock.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { ofClub } from "../../club/View.ts"
import { type Lesson, touchedKeys } from "./lesson.ts"
import { Reward } from "./Reward.tsx"

interface QuizProps {
  readonly block: BlockOf<"quiz">
  readonly lesson: Lesson
}

/** A quiz that the student takes. The answers survive a failed request and a reload. */
export const Quiz = ({ block, lesson }: QuizProps) => {
  const draft = useDraft(`quiz/${block.id}`)
  const send = async (chosen: Answers) => {
    const answers = Object.entries(chosen).map(([question_id, option_id]) => ({ question_id, option_id }))
    const sending = turma.classroom.attempt({ ...ofClub, blockId: block.id, body: { answers } })
    if (!await attempt(() => sending)) return undefined
    changed(...touchedKeys(lesson.public_id, lesson.course.public_id))
    return (await sending).data
  }
  return <QuizBlock block={block} draft={draft} sending={{ send, reward: (points) => <Reward points={points} /> }} />
}
