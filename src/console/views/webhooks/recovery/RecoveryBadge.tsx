import { said, spoken } from "../../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import type { Recovery } from "../model/Recovery.ts"

type State = Recovery["status"] | "blocked"

const words = spoken<Record<State, string>>(
  {
    blocked: "Waiting",
    canceled: "Canceled",
    completed: "Completed",
    counting: "Counting",
    paused: "Paused",
    previewed: "Not started",
    running: "Running"
  },
  {
    blocked: "Esperando",
    canceled: "Cancelada",
    completed: "Concluída",
    counting: "Contando",
    paused: "Pausada",
    previewed: "Não começou",
    running: "Em andamento"
  }
)

const tones: Readonly<Record<State, Tone>> = {
  blocked: "waiting",
  canceled: "quiet",
  completed: "good",
  counting: "waiting",
  paused: "waiting",
  previewed: "quiet",
  running: "good"
}

/** How a recovery stands, in a word. */
export const RecoveryBadge = ({ of: { blocked_by, status } }: {
  readonly of: Pick<Recovery, "blocked_by" | "status">
}) => {
  const state = status === "running" && blocked_by !== null ? "blocked" : status
  return <Badge tone={tones[state]}>{said(words)[state]}</Badge>
}
