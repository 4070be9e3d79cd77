import { said } from "../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../browser/parts/Badge.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { words } from "./words.ts"

type Status = Schemas["ClassroomSupportConversation"]["status"]

const tones: Readonly<Record<Status, Tone>> = { open: "quiet", pending: "warning", closed: "quiet" }

/** The state of a conversation. It stays open after an answer, until the team closes it. */
export const StatusBadge = ({ status }: { readonly status: Status }) => (
  <Badge tone={tones[status]}>{said(words).statuses[status]}</Badge>
)
