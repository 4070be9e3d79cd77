import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { duration, withDates } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { sleep } from "../../../../browser/client/Sleep.ts"
import { Code } from "../../../../browser/parts/Code.tsx"
import { tellFailure } from "../../../../browser/parts/Toasts.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"
import type { Endpoint } from "../model/EndpointHealth.ts"
import { outcomeOf, type TestOutcome } from "../model/TestOutcome.ts"
import { endpointsChanged } from "../parts/Reads.ts"

const words = spoken(
  {
    accepted: (status: number, took: string) => `Accepted: it answered ${status} in ${took}.`,
    answer: "Start of the answer",
    asking: "Waiting for the answer…",
    canceled: "It was canceled before it was sent.",
    delivery: "Look at this delivery",
    later: "It is still waiting for its turn.",
    listener: "It waits until the listener asks for it.",
    refused: (took: string) => `Not accepted after ${took}.`,
    test: "Send a test"
  },
  {
    accepted: (status: number, took: string) => `Aceito: respondeu ${status} em ${took}.`,
    answer: "Início da resposta",
    asking: "Esperando a resposta…",
    canceled: "Foi cancelado antes de ser enviado.",
    delivery: "Ver este envio",
    later: "Ainda não foi enviado: está na fila.",
    listener: "Espera até o listener buscar.",
    refused: (took: string) => `Não aceito após ${took}.`,
    test: "Enviar um teste"
  }
)

type Detail = Schemas["WebhookDeliveryDetail"]

/** When it is asked what came of a test, in milliseconds after each other: soon at first. */
const waits = [60, 90, 120, 150, 200, 300, 400, 600, 1000, 1500, 2000, 3000, 5000, 8000, 10_000]

/** Of a listener fewer: it is not known whether anybody asks. */
const waitsOfListener = 10

/**
 * The delivery as soon as it has a result, or as it is after the longest wait. Undefined if the dialog closes before.
 */
const resultOf = async (
  club: Membership,
  { endpoint_id, id }: Schemas["WebhookDelivery"],
  { kind, signal }: { readonly kind: Endpoint["kind"]; readonly signal: AbortSignal }
) => {
  const params = { clubId: club.organization_id, endpointId: endpoint_id, deliveryId: id }
  const [wait, ...others] = kind === "listener" ? waits.slice(0, waitsOfListener) : waits
  const look = async (millis = 0, rests: ReadonlyArray<number> = []): Promise<Detail | undefined> => {
    await sleep(millis, signal)
    if (signal.aborted) return undefined
    const { data } = await turma.webhookDeliveries.get(params, { signal })
    if (data.attempts_count > 0 || data.status !== "pending") return data
    const [next, ...later] = rests
    return next === undefined ? data : look(next, later)
  }
  return look(wait, others)
}

const tones: Readonly<Record<TestOutcome, "bad" | "good" | "waiting">> = {
  accepted: "good",
  canceled: "waiting",
  later: "waiting",
  listener: "waiting",
  refused: "bad"
}

const Result = (
  { club, kind, of }: { readonly club: Membership; readonly kind: Endpoint["kind"]; readonly of: Detail }
) => {
  const { attempts, diagnosis, endpoint_id, id } = of
  const attempt = attempts.at(-1)
  const { accepted, answer, canceled, delivery, later, listener, refused } = said(words)
  const outcome = outcomeOf(of, kind)
  const took = duration(attempt?.duration_ms ?? 0)
  const text = {
    accepted: accepted(attempt?.status_code ?? 200, took),
    canceled,
    later,
    listener,
    refused: refused(took)
  }[outcome]
  return (
    <div class={`notice stack ${tones[outcome]}`}>
      <p>
        <strong>{text}</strong>
        {outcome === "refused" && diagnosis !== null && withDates(`${diagnosis.sentence} ${diagnosis.next_step}`)}
      </p>
      {attempt?.response_body !== null && attempt?.response_body !== undefined && attempt.response_body !== "" && (
        <Code label={answer} text={attempt.response_body} />
      )}
      <p>
        <a href={clubPage(club, "webhooks", endpoint_id, "deliveries", id)}>{delivery}</a>
      </p>
    </div>
  )
}

/** Sends a test, and shows what came of it as soon as something did. Also a probe of an endpoint that is held. */
export const TestButton = ({ club, endpoint: { id: endpointId, kind }, isQuiet = false, label }: {
  readonly club: Membership
  readonly endpoint: Pick<Endpoint, "id" | "kind">
  readonly label?: string
  readonly isQuiet?: boolean
}) => {
  const result = useSignal<Detail | undefined>(undefined)
  const isRunning = useSignal(false)
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])
  const test = async () => {
    if (isRunning.peek()) return
    running.current = new AbortController()
    const { signal } = running.current
    isRunning.value = true
    result.value = undefined
    try {
      const { data } = await turma.webhookDeliveries.test({ clubId: club.organization_id, endpointId })
      result.value = await resultOf(club, data, { kind, signal })
    } catch (thrown) {
      if (!signal.aborted) tellFailure(thrown)
    }
    isRunning.value = false
    if (!signal.aborted) endpointsChanged(club)
  }
  return (
    <div class="test">
      <div class="actions">
        <button type="button" class={isQuiet ? "quiet" : ""} aria-busy={isRunning.value} onClick={() => void test()}>
          {label ?? said(words).test}
        </button>
        {isRunning.value && <span class="soft">{said(words).asking}</span>}
      </div>
      <div aria-live="polite">{result.value !== undefined && <Result club={club} kind={kind} of={result.value} />}</div>
    </div>
  )
}
