import { turma } from "../../../../browser/client/Api.ts"
import { counted, number } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { ActionButton } from "../../../../browser/parts/ActionButton.tsx"
import type { Membership } from "../../../club/Session.ts"
import type { Endpoint } from "../model/EndpointHealth.ts"
import { endpointsChanged, endpointsKey } from "../parts/Reads.ts"

const words = spoken(
  {
    capped: (count: string) => `more than ${count} of them remain`,
    full: "Send the rest at full speed",
    left: (count: number) => counted(count, "1 of them remains", `${number(count)} of them remain`),
    text: (rate: string, left: string) =>
      `Events that waited during the pause are sent at ${rate} a second at most: ${left}. It ends by itself.`
  },
  {
    capped: (count: string) => `faltam mais de ${count}`,
    full: "Enviar o resto na velocidade máxima",
    left: (count: number) => counted(count, "falta 1", `faltam ${number(count)}`),
    text: (rate: string, left: string) =>
      `Os eventos que esperaram durante a pausa são enviados a no máximo ${rate} por segundo: ${left}. Termina sozinho.`
  }
)

/** The pause between two counts of the rest, in milliseconds. */
const readEvery = 3000

const Draining = ({ club, endpointId }: { readonly club: Membership; readonly endpointId: string }) => {
  const params = { clubId: club.organization_id, endpointId }
  const { data, reload } = useRead(endpointsKey(club, endpointId, "drain"), async (signal) => {
    const { data } = await turma.webhookRecoveries.drain(params, { signal })
    return data
  })
  useInterval(readEvery, reload)
  if (data === undefined || data.rate === null) return null
  const { capped, full, left, text } = said(words)
  const end = async () => {
    await turma.webhookEndpoints.update({ ...params, body: { drain_rate: null } })
    endpointsChanged(club)
  }
  return (
    <div class="notice waiting stack">
      <p>{text(number(data.rate), data.capped ? capped(number(data.remaining)) : left(data.remaining))}</p>
      <div class="actions">
        <ActionButton isQuiet work={end}>{full}</ActionButton>
      </div>
    </div>
  )
}

/** The progress of a drain: the queue of a paused endpoint that was enabled with a rate. */
export const Drain = ({ club, endpoint }: { readonly club: Membership; readonly endpoint: Endpoint }) =>
  endpoint.drain_rate === null ? null : <Draining club={club} endpointId={endpoint.id} />
