import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { Countdown, Moment } from "../../../browser/parts/Moment.tsx"
import { Id } from "./Id.tsx"
import type { Webhooks } from "./overview.ts"
import { counted } from "./Queues.tsx"
import { words } from "./words.ts"

const Held = ({ longest }: Pick<Webhooks, "longest">) => (
  <div class="table scroll" tabIndex={0} role="region" aria-label={said(words).heldLongest}>
    <table class="held-longest">
      <caption class="visually-hidden">{said(words).heldLongest}</caption>
      <thead>
        <tr>
          <th scope="col">{said(words).endpoint}</th>
          <th scope="col">{said(words).club}</th>
          <th scope="col" class="number short">{said(words).holds}</th>
          <th scope="col" class="middle">{said(words).failingSince}</th>
          <th scope="col" class="middle">{said(words).holdUntil}</th>
        </tr>
      </thead>
      <tbody>
        {longest.map(({ club_id, endpoint_id, failing_since, hold_until, holds }) => (
          <tr key={endpoint_id} data-row>
            <td>
              <Id id={endpoint_id} what={said(words).endpoint} />
            </td>
            <td>
              <Id id={club_id} what={said(words).club} />
            </td>
            <td class="number">{number(holds)}</td>
            <td>
              <Moment at={failing_since} />
            </td>
            <td>{hold_until === undefined ? "—" : <Countdown until={hold_until} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Workers = ({ workers, workersCapped }: Pick<Webhooks, "workers" | "workersCapped">) => (
  <div class="table">
    <table>
      <caption class="visually-hidden">{said(words).workers}</caption>
      <thead>
        <tr>
          <th scope="col">{said(words).worker}</th>
          <th scope="col" class="number">{said(words).lanes}</th>
          <th scope="col">{said(words).since}</th>
          <th scope="col" class="whole">{said(words).until}</th>
        </tr>
      </thead>
      <tbody>
        {workers.map(({ lanes, pid, since, until, worker }) => (
          <tr key={worker} data-row>
            <td class="whole">
              <code>{worker}</code> <span class="soft number">{pid}</span>
            </td>
            <td class="number">{counted(lanes, workersCapped)}</td>
            <td class="whole">
              <Moment at={since} />
            </td>
            <td>
              <Countdown until={until} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** How outgoing webhooks stand: what is held, and who sends. */
export const Lanes = ({ webhooks }: { readonly webhooks: Webhooks }) => {
  const { disabled, held, longest, workers, workersCapped } = webhooks
  return (
    <>
      <section class="stack" aria-labelledby="held">
        <h2 id="held">{said(words).held}</h2>
        <dl class="facts">
          <dt>{said(words).held}</dt>
          <dd class="number">{counted(held.count, held.capped)}</dd>
          <dt>{said(words).disabled}</dt>
          <dd class="number">{counted(disabled.count, disabled.capped)}</dd>
        </dl>
        {longest.length === 0 ? <p class="soft">{said(words).heldNone}</p> : <Held longest={longest} />}
      </section>
      <section class="stack" aria-labelledby="workers">
        <h2 id="workers">{said(words).workers}</h2>
        {workers.length === 0
          ? <p class="soft">{said(words).workersNone}</p>
          : <Workers workers={workers} workersCapped={workersCapped} />}
      </section>
    </>
  )
}
