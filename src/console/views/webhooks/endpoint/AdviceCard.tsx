import { withDates } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import type { Diagnosis } from "../model/EndpointHealth.ts"

type Advice = Diagnosis["advice"][number]

const words = spoken(
  {
    abouts: { certificate_ends: "Certificate", gone: "Gone", secret_ends: "Secret", secrets_unreadable: "Not sent" },
    title: "What to look at"
  },
  {
    abouts: {
      certificate_ends: "Certificado",
      gone: "Saiu do ar",
      secret_ends: "Segredo",
      secrets_unreadable: "Nada é enviado"
    },
    title: "O que conferir"
  }
)

/** A receiver that answers "gone" accepts nothing any more. With the other advice nothing fails yet. */
const tones: Readonly<Record<Advice["about"], Tone>> = {
  certificate_ends: "warning",
  gone: "bad",
  secret_ends: "warning",
  secrets_unreadable: "bad"
}

/** The advice for an endpoint. Renders nothing without any. */
export const AdviceCard = ({ diagnosis: { advice } }: { readonly diagnosis: Diagnosis }) => {
  if (advice.length === 0) return null
  const { abouts, title } = said(words)
  return (
    <section class="card stack" aria-labelledby="advice">
      <h2 id="advice">{title}</h2>
      <ul class="plain-list stack" aria-label={title}>
        {advice.map((one) => (
          <li key={one.about} class="stack tight">
            <div>
              <Badge tone={tones[one.about]}>{abouts[one.about]}</Badge>
            </div>
            <p>{withDates(one.sentence)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
