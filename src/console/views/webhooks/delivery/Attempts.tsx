import { duration, exactTime, withDates } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import { Code, Headers } from "../../../../browser/parts/Code.tsx"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import type { Cause } from "../model/Explanation.ts"
import { type PhaseName, phaseNames, slowest, stretchesOf } from "../model/Phases.ts"
import { answered } from "../parts/Answered.tsx"

export type Attempt = Schemas["WebhookAttempt"]

const words = spoken(
  {
    answer: "Start of the answer",
    headers: "Headers as signed",
    more: (number: number) => `Attempt ${number} in detail`,
    none: "There was no attempt yet, or all are older than 30 days.",
    phase: {
      connect: "Connect",
      lookup: "Look up the name",
      read: "Read the answer",
      send: "Send",
      tls: "TLS",
      wait: "Wait for the answer"
    } satisfies Record<PhaseName, string>,
    phases: "Phases",
    retryAfter: (seconds: number) => `It asked to wait ${seconds} s before the next attempt.`,
    reused: "On a connection that was already open.",
    slowest: (phase: string) => `Most of the time: ${phase}.`,
    title: "Attempts",
    trigger: { manual: "Resent", recover: "Recovered", schedule: "Schedule", test: "Test" } satisfies Record<
      Attempt["trigger"],
      string
    >,
    whole: "Took"
  },
  {
    answer: "Início da resposta",
    headers: "Cabeçalhos como assinados",
    more: (number: number) => `Detalhes da tentativa ${number}`,
    none: "Ainda não houve tentativas, ou todas têm mais de 30 dias.",
    phase: {
      connect: "Conectar",
      lookup: "Resolver o nome",
      read: "Ler a resposta",
      send: "Enviar",
      tls: "TLS",
      wait: "Esperar a resposta"
    },
    phases: "Fases",
    retryAfter: (seconds: number) => `Pediu para esperar ${seconds} s antes da próxima.`,
    reused: "Em uma conexão que já estava aberta.",
    slowest: (phase: string) => `A maior parte do tempo: ${phase}.`,
    title: "Tentativas",
    trigger: { manual: "Reenviada", recover: "Recuperada", schedule: "Automática", test: "Teste" },
    whole: "Levou"
  }
)

const PhaseBar = ({ attempt, longest }: { readonly attempt: Attempt; readonly longest: number }) => {
  const { duration_ms, phases } = attempt
  if (phases === null) {
    return (
      <span class="phases" aria-hidden="true">
        <span class="phase-whole" style={{ inlineSize: `${(duration_ms / Math.max(1, longest)) * 100}%` }} />
      </span>
    )
  }
  return (
    <span class="phases" aria-hidden="true">
      {stretchesOf(phases, longest).map(({ millis, name, share }) => (
        <span
          key={name}
          class={`phase-${name}`}
          title={`${said(words).phase[name]}: ${duration(millis)}`}
          style={{ inlineSize: `${share * 100}%` }}
        />
      ))}
    </span>
  )
}

const PhaseList = ({ phases }: { readonly phases: NonNullable<Attempt["phases"]> }) => {
  const most = slowest(phases)
  return (
    <div class="stack">
      {most !== undefined && <p>{said(words).slowest(said(words).phase[most])}</p>}
      <ul class="legend" aria-label={said(words).phases}>
        {phaseNames.map((name) => {
          const millis = phases[`${name}_ms`]
          return millis === null ? null : (
            <li key={name}>
              <span class={`key phase-${name}`} aria-hidden="true" />
              {said(words).phase[name]} <span class="number">{duration(millis)}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const Detail = ({ attempt, cause }: { readonly attempt: Attempt; readonly cause: Cause }) => {
  const { connection_reused, phases, request_headers, response_body, retry_after_seconds } = attempt
  const { answer, headers, retryAfter, reused } = said(words)
  return (
    <div class="stack">
      {cause !== null && <p>{withDates(`${cause.sentence} ${cause.next_step}`)}</p>}
      {retry_after_seconds !== null && <p>{retryAfter(retry_after_seconds)}</p>}
      {phases !== null && <PhaseList phases={phases} />}
      {connection_reused === true && <p class="soft small">{reused}</p>}
      {request_headers !== null && (
        <div>
          <h3>{headers}</h3>
          <Headers headers={{ ...request_headers }} />
        </div>
      )}
      {response_body !== null && response_body !== "" && <Code label={answer} text={response_body} />}
    </div>
  )
}

const Line = ({ attempt, longest }: { readonly attempt: Attempt; readonly longest: number }) => (
  <span class="attempt-line">
    <span class="number">{attempt.number}</span>
    <span>
      <Badge tone={attempt.error === null ? "good" : "bad"}>{answered(attempt.error, attempt.status_code)}</Badge>
    </span>
    <PhaseBar attempt={attempt} longest={longest} />
    <span class="number">{duration(attempt.duration_ms)}</span>
    <span class="when soft small" title={exactTime(attempt.started_at)}>
      {said(words).trigger[attempt.trigger]} · <Moment at={attempt.started_at} />
    </span>
  </span>
)

/** The attempts, newest first, each with its phases, and the cause of the newest failure. */
export const Attempts = (
  { attempts, cause }: { readonly attempts: ReadonlyArray<Attempt>; readonly cause: Cause }
) => {
  const longest = attempts.reduce((most, { duration_ms }) => Math.max(most, duration_ms), 1)
  const newestFirst = attempts.toSorted((one, other) => other.number - one.number)
  const { more, none, title } = said(words)
  return (
    <section class="card stack" aria-labelledby="attempts">
      <h2 id="attempts">{title}</h2>
      {attempts.length === 0 ? <p class="soft">{none}</p> : (
        <ol class="attempts" reversed>
          {newestFirst.map((attempt, index) => (
            <li key={attempt.id}>
              <Line attempt={attempt} longest={longest} />
              <details open={index === 0}>
                <summary class="small">{more(attempt.number)}</summary>
                <Detail attempt={attempt} cause={index === 0 && attempt.error === cause?.cause ? cause : null} />
              </details>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
