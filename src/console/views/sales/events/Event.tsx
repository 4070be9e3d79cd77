import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { exactTime, number } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import { Json } from "../../../../browser/parts/Code.tsx"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Failure, Loading } from "../../../../browser/parts/States.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { MapProduct } from "../mappings/Unmapped.tsx"
import { platformName, salesChanged, useAddresses, usePlatforms, useUnmapped } from "../Reads.ts"
import { outcomeSentences, outcomeTones, outcomeWords, salesWords } from "../words.ts"

type Detail = Schemas["InboundEventDetail"]

const words = spoken(
  {
    address: "Address",
    again: "Process again",
    againText:
      "It goes back into the queue. Finished work is not repeated: nobody gets access, an event or a mail twice.",
    body: "What the platform sent",
    deleted: "an address that was deleted",
    failures: (count: number) => count === 1 ? "1 attempt failed" : `${number(count)} attempts failed`,
    finished: "Done",
    gone: "The body is kept for up to 30 days, or until its student is removed.",
    id: "On the platform",
    map: "Map the product",
    platform: "Platform",
    product: "Product",
    queued: "It is being processed again",
    received: "Received",
    student: "Student",
    toStudent: "Show the student",
    tries: "Attempts"
  },
  {
    address: "Endereço",
    again: "Processar de novo",
    againText:
      "Volta para a fila. O que já foi feito não é feito de novo: ninguém recebe acesso, evento ou e-mail duas vezes.",
    body: "O que a plataforma enviou",
    deleted: "um endereço que foi excluído",
    failures: (count: number) => count === 1 ? "1 tentativa falhou" : `${number(count)} tentativas falharam`,
    finished: "Concluído",
    gone: "O conteúdo é guardado por até 30 dias, ou até o aluno ser removido.",
    id: "Na plataforma",
    map: "Mapear o produto",
    platform: "Plataforma",
    product: "Produto",
    queued: "Está sendo processado de novo",
    received: "Recebido em",
    student: "Aluno",
    toStudent: "Mostrar o aluno",
    tries: "Tentativas"
  }
)

/** In milliseconds: so often it is asked what came of an event that waits. */
const pause = 700

const useEvent = ({ organization_id: clubId }: Membership, inboundEventId: string) => {
  const read = useRead(`${clubId}/sales/events/${inboundEventId}`, async (signal) => {
    const { data } = await turma.inboundEvents.get({ clubId, inboundEventId }, { signal })
    return data
  })
  useInterval(read.data?.outcome === null ? pause : undefined, read.reload)
  return read
}

const Facts = ({ club, event }: { readonly club: Membership; readonly event: Detail }) => {
  const { data: platforms } = usePlatforms(club)
  const { data: addresses } = useAddresses(club)
  const address = addresses?.find(({ id }) => id === event.inbound_webhook_id)
  return (
    <dl class="facts">
      <dt>{said(words).platform}</dt>
      <dd>{platformName(platforms, event.platform)}</dd>
      {event.product !== null && (
        <>
          <dt>{said(words).product}</dt>
          <dd>
            <bdi>{event.product.name ?? event.product.external_id}</bdi>{" "}
            <bdi class="soft">{event.product.external_id}</bdi>
          </dd>
        </>
      )}
      {event.student_id !== null && (
        <>
          <dt>{said(words).student}</dt>
          <dd>
            <a href={clubPage(club, "students", event.student_id)}>{said(words).toStudent}</a>
          </dd>
        </>
      )}
      <dt>{said(words).received}</dt>
      <dd>{exactTime(event.received_at)}</dd>
      {event.finished_at !== null && (
        <>
          <dt>{said(words).finished}</dt>
          <dd>{exactTime(event.finished_at)}</dd>
        </>
      )}
      {event.failures > 0 && (
        <>
          <dt>{said(words).tries}</dt>
          <dd>{said(words).failures(event.failures)}</dd>
        </>
      )}
      <dt>{said(words).address}</dt>
      <dd dir="auto">{address?.name ?? (addresses === undefined ? "…" : said(words).deleted)}</dd>
      {event.external_event_id !== null && (
        <>
          <dt>{said(words).id}</dt>
          <dd>
            <bdi>{event.external_event_id}</bdi>
          </dd>
        </>
      )}
    </dl>
  )
}

const canRepeat = ({ outcome, raw_available }: Detail) =>
  raw_available && (outcome === "unmapped" || outcome === "failed" || outcome === "ignored")

const EventActions = ({ club, event }: { readonly club: Membership; readonly event: Detail }) => {
  const { data: unmapped } = useUnmapped(club)
  const asked = useSignal<"map" | "again" | undefined>(undefined)
  const product = event.outcome === "unmapped"
    ? unmapped?.find(({ external_product_id, platform }) =>
      platform === event.platform && external_product_id === event.product?.external_id
    )
    : undefined
  const close = () => {
    asked.value = undefined
  }
  const again = async () => {
    await turma.inboundEvents.reprocess({ clubId: club.organization_id, inboundEventId: event.id })
    salesChanged(club)
  }
  return (
    <>
      {product !== undefined && <button type="button" onClick={() => (asked.value = "map")}>{said(words).map}</button>}
      {canRepeat(event) && (
        <button type="button" class="quiet" onClick={() => (asked.value = "again")}>{said(words).again}</button>
      )}
      {asked.value === "map" && product !== undefined && <MapProduct club={club} product={product} onClose={close} />}
      {asked.value === "again" && (
        <Confirm
          title={said(words).again}
          action={said(words).again}
          done={said(words).queued}
          work={again}
          onClose={close}
        >
          <p>{said(words).againText}</p>
        </Confirm>
      )}
    </>
  )
}

/** One event of a platform, and what came of it. */
export default function Event({ club, params }: ClubViewProps) {
  const { data: event, error, reload } = useEvent(club, params["event"] ?? "")
  const above = [{ label: said(salesWords).sales, to: clubPage(club, "sales") }]
  if (event === undefined) {
    return (
      <>
        <PageHead title={said(salesWords).sales} above={above} />
        {error === undefined ? <Loading /> : <Failure error={error} again={reload} />}
      </>
    )
  }
  const outcome = event.outcome ?? "pending"
  return (
    <>
      <PageHead
        title={event.event_name}
        above={above}
        badge={<Badge tone={outcomeTones[outcome]}>{said(outcomeWords)[outcome]}</Badge>}
        actions={<EventActions club={club} event={event} />}
      >
        <p role="status">{said(outcomeSentences)[outcome]}</p>
        {event.detail !== null && <p lang="en">{event.detail}</p>}
      </PageHead>
      <section class="card">
        <Facts club={club} event={event} />
      </section>
      {event.body === null
        ? <p class="soft">{said(words).gone}</p>
        : <Json label={said(words).body} value={event.body} />}
    </>
  )
}
