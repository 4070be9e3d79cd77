import { said, spoken } from "../../../client/Language.ts"
import { millisOf } from "../../../client/Time.ts"
import { Badge, type Tone } from "../../../parts/Badge.tsx"
import { clock, Countdown } from "../../../parts/Moment.tsx"
import { type Standing, standingOf, type Standings } from "../model/Standing.ts"

const words = spoken<Record<Standing | "probing", string>>(
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
    delivering: "Entrega",
    disabled: "Desativado",
    disabled_failing: "Desativado: estava falhando",
    failing: "Falhando",
    held: "Retido",
    listening: "Escuta",
    paused: "Pausado",
    probing: "Sondando",
    untried: "Ainda não testado"
  }
)

const tones: Readonly<Record<Standing, Tone>> = {
  delivering: "good",
  disabled: "quiet",
  disabled_failing: "bad",
  failing: "warning",
  held: "waiting",
  listening: "good",
  paused: "waiting",
  untried: "quiet"
}

/** How an endpoint stands, with what is left of a hold. */
export const StandingBadge = ({ of }: { readonly of: Standings }) => {
  const standing = standingOf(of)
  const { hold_until } = of
  if (standing !== "held" || hold_until === null) return <Badge tone={tones[standing]}>{said(words)[standing]}</Badge>
  return millisOf(hold_until) > clock.value
    ? (
      <Badge tone="waiting">
        {said(words).held} <Countdown until={hold_until} />
      </Badge>
    )
    : <Badge tone="waiting">{said(words).probing}</Badge>
}
