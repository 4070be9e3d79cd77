import { text } from "../../platform/http/Text.ts"

/** What courses, modules and lessons are called. */
export const Title = text(1, 200)
