import { text } from "../../platform/http/Text.ts"

/** Contract, Limits: sign-up name 1 to 200 characters. */
export const PersonName = text(1, 200)
