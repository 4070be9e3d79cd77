import type { Schemas } from "../../../sdk/index.ts"

/** A block, as its student sees it. */
export type LessonBlock = Schemas["ClassroomBlock"]

/** A block of one of these kinds. */
export type BlockOf<K extends LessonBlock["kind"]> = Extract<LessonBlock, { kind: K }>
