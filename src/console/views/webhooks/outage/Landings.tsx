import { dateTime, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { millisOf } from "../../../../browser/client/Time.ts"
import { BarChart } from "../../../../browser/parts/BarChart.tsx"
import { lengthOf, type Outage, outageSentence } from "../model/OutageSentence.ts"
import { sentenceContext } from "../parts/sentenceContext.ts"

const words = spoken(
  {
    attempts: "Attempts in all",
    came: "Came",
    ended: "Ended",
    half: "Half take at most",
    landed: "Delivered",
    landings: "When they are delivered",
    most: "95 of 100 take at most",
    outcomes: { canceled: "Canceled", delivered: "Delivered", expired: "Given up", failed: "Given up" },
    result: "Their results",
    sample: "Some of them, from the first to the last",
    time: "From",
    took: "Took",
    tries: "Attempts",
    what: "Outcome"
  },
  {
    attempts: "Tentativas ao todo",
    came: "Ocorreu",
    ended: "Terminou",
    half: "Metade leva no máximo",
    landed: "Entregues",
    landings: "Quando são entregues",
    most: "95 de 100 levam no máximo",
    outcomes: { canceled: "Cancelado", delivered: "Entregue", expired: "Abandonado", failed: "Abandonado" },
    result: "O que acontece com eles",
    sample: "Alguns deles, do primeiro ao último",
    time: "A partir de",
    took: "Levou",
    tries: "Tentativas",
    what: "Fim"
  }
)

const Sample = ({ of: { sample } }: { readonly of: Outage }) => {
  const { came, ended, outcomes, sample: label, took, tries, what } = said(words)
  return (
    <div class="table scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{came}</th>
            <th scope="col" class="number">{tries}</th>
            <th scope="col">{what}</th>
            <th scope="col">{ended}</th>
            <th scope="col" class="number">{took}</th>
          </tr>
        </thead>
        <tbody>
          {sample.map(({ attempts, created_at, ended_at, outcome }) => (
            <tr key={created_at} data-row>
              <th scope="row">{dateTime(created_at)}</th>
              <td class="number">{number(attempts.length)}</td>
              <td>{outcomes[outcome]}</td>
              <td>{dateTime(ended_at)}</td>
              <td class="number">{lengthOf(Math.ceil((millisOf(ended_at) - millisOf(created_at)) / 1000))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The fate of the events of an outage: a sentence, figures, the times of their arrival, and some of them. */
export const Landings = ({ of }: { readonly of: Outage }) => {
  const { attempts, half, landed, landings, most, result, time } = said(words)
  const { p50_seconds, p95_seconds } = of.delay
  return (
    <section class="card stack" aria-labelledby="result">
      <h2 id="result">{result}</h2>
      <p>{outageSentence(of, sentenceContext())}</p>
      <dl class="facts">
        {p50_seconds !== null && (
          <>
            <dt>{half}</dt>
            <dd>{lengthOf(p50_seconds)}</dd>
          </>
        )}
        {p95_seconds !== null && (
          <>
            <dt>{most}</dt>
            <dd>{lengthOf(p95_seconds)}</dd>
          </>
        )}
        <dt>{attempts}</dt>
        <dd class="number">{number(of.attempts)}</dd>
      </dl>
      {of.landings.length > 0 && (
        <BarChart
          label={landings}
          heads={[time, landed]}
          values={of.landings.map(({ at, delivered }) => ({ name: dateTime(at), value: delivered }))}
        />
      )}
      {of.sample.length > 0 && <Sample of={of} />}
    </section>
  )
}
