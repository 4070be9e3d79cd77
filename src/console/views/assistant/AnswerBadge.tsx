import { said } from "../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../browser/parts/Badge.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { words } from "./words.ts"

type Status = Schemas["AskedQuestion"]["status"]

const tones: Readonly<Record<Status, Tone>> = {
  completed: "good",
  failed: "bad",
  canceled: "quiet",
  generating: "waiting"
}

/** The state of an answer. */
export const AnswerBadge = ({ status }: { readonly status: Status }) => (
  <Badge tone={tones[status]}>{said(words).statuses[status]}</Badge>
)
