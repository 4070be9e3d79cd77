import { said } from "../../../browser/client/Language.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Countdown, Moment } from "../../../browser/parts/Moment.tsx"
import { Id } from "./Id.tsx"
import type { Lane } from "./overview.ts"
import { counted } from "./Queues.tsx"
import { words } from "./words.ts"

/** The worker that has leased the lane, or the reason for the wait. */
const State = ({ lane: { hold_until, leased_until, pid, worker } }: { readonly lane: Lane }) => {
  if (leased_until !== undefined) {
    return (
      <>
        {said(words).withWorker} <code>{worker}</code> <span class="soft number">{pid}</span>,{" "}
        <Countdown
          until={leased_until}
        />
      </>
    )
  }
  return hold_until === undefined
    ? <Badge tone="waiting">{said(words).withNobody}</Badge>
    : (
      <>
        <Badge tone="bad">{said(words).heldState}</Badge> <Countdown until={hold_until} />
      </>
    )
}

/** The lanes where most waits, the deepest first. */
export const Depths = ({ lanes }: { readonly lanes: ReadonlyArray<Lane> }) => (
  <section class="stack" aria-labelledby="deepest">
    <h2 id="deepest">{said(words).deepest}</h2>
    {lanes.length === 0 ?
      <p class="soft">{said(words).deepestNone}</p> :
      (
        <div class="table scroll" tabIndex={0} role="region" aria-labelledby="deepest">
          <table class="held-longest">
            <caption class="visually-hidden">{said(words).deepest}</caption>
            <thead>
              <tr>
                <th scope="col">{said(words).endpoint}</th>
                <th scope="col">{said(words).club}</th>
                <th scope="col" class="number middle">{said(words).waiting}</th>
                <th scope="col" class="middle">{said(words).oldestPending}</th>
                <th scope="col">{said(words).state}</th>
              </tr>
            </thead>
            <tbody>
              {lanes.map((lane) => (
                <tr key={lane.endpoint_id} data-row>
                  <td>
                    <Id id={lane.endpoint_id} what={said(words).endpoint} />
                  </td>
                  <td>
                    <Id id={lane.club_id} what={said(words).club} />
                  </td>
                  <td class="number">{counted(lane.depth, lane.capped)}</td>
                  <td>{lane.oldest_pending_at === undefined ? "—" : <Moment at={lane.oldest_pending_at} />}</td>
                  <td class="whole">
                    <State lane={lane} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    <p class="soft small">{said(words).deepestHow}</p>
  </section>
)
