import { turma } from "../../../../browser/client/Api.ts"
import { dateTime, duration } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { language, said, spoken } from "../../../../browser/client/Language.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { isWithdrawn } from "../../../../browser/client/Withdrawn.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Failure, Loading } from "../../../../browser/parts/States.tsx"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { nameOf } from "../model/EndpointHealth.ts"
import { type Finding, gradingSentence, isToBeRefused, probeName, type Report, shownBy } from "../model/GradingWords.ts"
import { administered } from "../parts/Administered.tsx"
import { answered } from "../parts/Answered.tsx"
import { endpointsKey, useEndpoint } from "../parts/Reads.ts"
import { GradeBadge } from "./GradeBadge.tsx"

const words = spoken(
  {
    answered: (answer: string, took: string) => `${answer} after ${took}`,
    asked: (at: string) => `Requested ${at}.`,
    dedupes: {
      forgets: "It says that it has not seen the repeated event before.",
      told: "It says that it has seen the repeated event before.",
      unknown: "It does not say whether it recognizes a repeat. The header turma-seen: 1 would say so."
    },
    endpoint: "Endpoint",
    findings: "Findings",
    gradings: "Gradings",
    newest: "It had the newest secret at that time.",
    nothing: "Nothing is wrong.",
    probes: "The result of each probe",
    severities: { advice: "Advice", error: "Wrong", warning: "Risky" },
    shown: { nothing: "Shows nothing", right: "As it should", wrong: "Not as it should" },
    title: "Grading",
    wanted: "to be refused",
    webhooks: "Webhooks"
  },
  {
    answered: (answer: string, took: string) => `${answer} após ${took}`,
    asked: (at: string) => `Pedida em ${at}.`,
    dedupes: {
      forgets: "O receptor diz que ainda não tinha visto o evento repetido.",
      told: "O receptor diz que já tinha visto o evento repetido.",
      unknown: "O receptor não diz se reconhece repetições. O cabeçalho turma-seen: 1 diria isso."
    },
    endpoint: "Endpoint",
    findings: "Resultado",
    gradings: "Avaliações",
    newest: "O receptor tinha o segredo mais novo nessa hora.",
    nothing: "Nenhum problema.",
    probes: "Resultado de cada teste",
    severities: { advice: "Conselho", error: "Errado", warning: "Arriscado" },
    shown: { nothing: "Não mostra nada", right: "Como deveria", wrong: "Não como deveria" },
    title: "Avaliação",
    wanted: "deve recusar",
    webhooks: "Webhooks"
  }
)

/** How often it is read anew while probes are on their way, in milliseconds. */
const readEvery = 1000

const tones: Readonly<Record<Finding["severity"], Tone>> = { advice: "quiet", error: "bad", warning: "warning" }
const shownTones: Readonly<Record<ReturnType<typeof shownBy>, Tone>> = { nothing: "quiet", right: "good", wrong: "bad" }

const Findings = ({ of: { dedupes, findings, newest_secret } }: { readonly of: Report }) => {
  const all = said(words)
  return (
    <section class="card stack" aria-labelledby="findings">
      <h2 id="findings">{all.findings}</h2>
      {findings.length === 0 ? <p>{all.nothing}</p> : (
        <ul class="plain-list stack" aria-label={all.findings}>
          {findings.map((finding) => (
            <li key={finding.code} class="stack tight">
              <div>
                <Badge tone={tones[finding.severity]}>{all.severities[finding.severity]}</Badge>
              </div>
              <p>{finding.message}</p>
              <p class="soft small">{finding.probes.map((probe) => probeName(probe, language.value)).join(", ")}</p>
            </li>
          ))}
        </ul>
      )}
      {newest_secret === "proved" ? <p class="soft">{all.newest}</p> : null}
      <p class="soft">{all.dedupes[dedupes]}</p>
    </section>
  )
}

const Probes = ({ of: { observations } }: { readonly of: Report }) => {
  const all = said(words)
  return (
    <section class="card stack" aria-labelledby="probes">
      <h2 id="probes">{all.probes}</h2>
      <ul class="probes" aria-label={all.probes}>
        {observations.map((observation) => {
          const { duration_ms, error, probe, status_code } = observation
          const shown = shownBy(observation)
          return (
            <li key={probe}>
              <span>{probeName(probe, language.value)}</span>
              <Badge tone={shownTones[shown]}>{all.shown[shown]}</Badge>
              <span class="soft small number">
                {isToBeRefused(probe) && `${all.wanted}; `}
                {all.answered(answered(error, status_code), duration(duration_ms))}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const GradingPage = ({ club, params: { endpoint: endpointId = "", grading: gradingId = "" } }: ClubViewProps) => {
  const { data, error, reload } = useRead(endpointsKey(club, endpointId, "gradings", gradingId), async (signal) => {
    const params = { clubId: club.organization_id, endpointId, gradingId }
    const { data } = await turma.webhookGradings.get(params, { signal })
    return data
  })
  const endpoint = useEndpoint(club, endpointId).data
  const isOver = data !== undefined && data.status !== "running" || error !== undefined && isWithdrawn(error)
  useInterval(isOver ? undefined : readEvery, reload)
  const { asked, endpoint: endpointLabel, gradings, title, webhooks } = said(words)
  const page = clubPage(club, "webhooks", endpointId)
  const above = [
    { label: webhooks, to: clubPage(club, "webhooks") },
    { label: endpoint === undefined ? endpointLabel : nameOf(endpoint), to: page },
    { label: gradings, to: `${page}/gradings` }
  ]
  return (
    <>
      <PageHead title={title} above={above} badge={data === undefined ? undefined : <GradeBadge of={data} />}>
        {data !== undefined && (
          <p role="status">
            {gradingSentence(data, language.value)} {asked(dateTime(data.created_at))}
          </p>
        )}
      </PageHead>
      {data === undefined
        ? error === undefined ? <Loading /> : <Failure error={error} />
        : data.report !== null && (
          <div class="beside">
            <Findings of={data.report} />
            <Probes of={data.report} />
          </div>
        )}
    </>
  )
}

/** A grading of a receiver: its grade, what is wrong, and what came of each probe. */
export default administered(GradingPage)
