import { useMemo } from "preact/hooks"
import { LessonBlocks, plays } from "../../../browser/parts/lesson/LessonBlocks.tsx"
import type { PlaceKeeper } from "../../../browser/parts/lesson/places.ts"
import type { Stage } from "../../../browser/parts/lesson/stage.ts"
import { AssignmentBlock } from "./AssignmentBlock.tsx"
import type { Lesson } from "./lesson.ts"
import { makePlaceKeeper, placeIn } from "./position.ts"
import { Quiz } from "./Quiz.tsx"

type Block = Lesson["blocks"][number]

/** The student's place if it is in this block. A place without a block is in the first one that plays. */
const placeOf = (lesson: Lesson, block: Block) => {
  const place = placeIn(lesson.public_id, lesson.position)
  if (place === null) return undefined
  return place.block_id === block.id || place.block_id === null && lesson.blocks.find(plays) === block
    ? place
    : undefined
}

/** One keeper for each player, as long as the lesson is shown. */
const keepersOf = (lesson: string) => {
  const made = new Map<string, PlaceKeeper>()
  return (blockId: string) => {
    const keeper = made.get(blockId) ?? makePlaceKeeper(lesson, blockId)
    made.set(blockId, keeper)
    return keeper
  }
}

/** The blocks of the student's lesson. */
export const Blocks = ({ lesson, marked, stage }: {
  readonly lesson: Lesson
  readonly stage: Stage
  /** The block that a link or a citation named. */
  readonly marked: string | undefined
}) => {
  const keeperOf = useMemo(() => keepersOf(lesson.public_id), [lesson.public_id])
  return (
    <LessonBlocks
      blocks={lesson.blocks}
      stage={stage}
      marked={marked}
      quiz={(block) => <Quiz block={block} lesson={lesson} />}
      assignment={(block) => <AssignmentBlock block={block} lesson={lesson} />}
      placeOf={(block) => placeOf(lesson, block)}
      keeperOf={keeperOf}
    />
  )
}
