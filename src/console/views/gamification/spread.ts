import type { Schemas } from "../../../sdk/index.ts"

/** The students on each level of the ladder, and of a proposed one if the form has one. */
export type Spread = Schemas["LevelSpread"]
