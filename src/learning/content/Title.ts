import { text } from "../../platform/http/Text.ts"

/** The title of a course, module or lesson. */
export const Title = text(1, 200)
