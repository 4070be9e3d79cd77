import type { Schemas } from "../../../sdk/index.ts"

/** How students are spread over the ladder, and over another one where that was asked about. */
export type Spread = Schemas["LevelSpread"]
