import { said, spoken } from "../../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import { clock, Countdown } from "../../../../browser/parts/Moment.tsx"
import {
  type Diagnosis,
  type EndpointHealth,
  type HealthFacts,
  healthOf,
  holdPhaseOf
} from "../model/EndpointHealth.ts"

const words = spoken<Record<EndpointHealth | "probing", string>>(
  {
    delivering: "Delivers",
    disabled: "Disabled",
    disabled_failing: "Disabled: it was failing",
    failing: "Failing",
    held: "Held",
    listening: "Listens",
    paused: "Paused",
    probing: "Probing",
    untried: "Not tried yet"
  },
  {
    delivering: "Entregando",
    disabled: "Desativado",
    disabled_failing: "Desativado: estava falhando",
    failing: "Falhando",
    held: "Retido",
    listening: "Escutando",
    paused: "Pausado",
    probing: "Testando",
    untried: "Ainda não testado"
  }
)

const tones: Readonly<Record<EndpointHealth, Tone>> = {
  delivering: "good",
  disabled: "quiet",
  disabled_failing: "bad",
  failing: "warning",
  held: "waiting",
  listening: "good",
  paused: "waiting",
  untried: "quiet"
}

/** The state of an endpoint. While it is held, with the time of the next attempt if that is known. */
export const HealthBadge = ({ of }: { readonly of: HealthFacts & Partial<Pick<Diagnosis, "next_attempt_at">> }) => {
  const health = healthOf(of)
  const { next_attempt_at = null } = of
  if (health !== "held" || next_attempt_at === null) {
    return <Badge tone={tones[health]}>{said(words)[health]}</Badge>
  }
  return holdPhaseOf(next_attempt_at, clock.value) === "held"
    ? (
      <Badge tone="waiting">
        {said(words).held} <Countdown until={next_attempt_at} />
      </Badge>
    )
    : <Badge tone="waiting">{said(words).probing}</Badge>
}
