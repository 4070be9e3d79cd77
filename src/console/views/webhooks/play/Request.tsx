import { useSignal } from "@preact/signals"
import { bytes, duration, number } from "../../../../browser/client/Format.ts"
import { language, said, spoken } from "../../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import { Code } from "../../../../browser/parts/Code.tsx"
import { Icon } from "../../../../browser/parts/Icon.tsx"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { Shown } from "../../../../browser/parts/States.tsx"
import type { Membership } from "../../../club/Session.ts"
import { type InboxRequest, signatureSentence, verdictOf } from "../model/InboxWords.ts"
import { useRequest } from "./Reads.ts"

const words = spoken(
  {
    answered: (status: string, delay: string) =>
      delay === "" ? `answered ${status}` : `answered ${status} after ${delay}`,
    body: "Body",
    engine: "by this service",
    headers: "Headers",
    large: "More than 64 KB: it is not kept.",
    name: (count: string, method: string) => `${count}. ${method}`,
    nothing: "It has no body.",
    query: "Query",
    repeated: "seen before",
    verdicts: { refused: "Not verified", unsigned: "Not signed", verified: "Verified" }
  },
  {
    answered: (status: string, delay: string) =>
      delay === "" ? `respondeu ${status}` : `respondeu ${status} após ${delay}`,
    body: "Corpo",
    engine: "deste serviço",
    headers: "Cabeçalhos",
    large: "Mais de 64 KB: não fica guardado.",
    name: (count: string, method: string) => `${count}. ${method}`,
    nothing: "Não tem corpo.",
    query: "Query",
    repeated: "já visto",
    verdicts: { refused: "Não confere", unsigned: "Sem assinatura", verified: "Confere" }
  }
)

const tones: Readonly<Record<ReturnType<typeof verdictOf>, Tone>> = {
  refused: "bad",
  unsigned: "quiet",
  verified: "good"
}

interface RequestProps {
  readonly club: Membership
  readonly inboxId: string
  readonly of: InboxRequest
  readonly nameOf: (endpointId: string) => string | undefined
}

const Detail = ({ club, inboxId, of }: Omit<RequestProps, "nameOf">) => {
  const read = useRequest(club, { inboxId, requestId: of.id, isOpen: true })
  const { body: bodyLabel, headers: headersLabel, large, nothing, query } = said(words)
  return (
    <Shown read={read}>
      {({ body, headers, query: sent }) => (
        <div class="stack">
          {sent !== "" && (
            <p>
              {query}: <code>{sent}</code>
            </p>
          )}
          <h3>{headersLabel}</h3>
          <dl class="headers">
            {headers.map(({ name, value }, index) => (
              <div key={index}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {body === null
            ? <p class="soft">{large}</p>
            : body === ""
            ? <p class="soft">{nothing}</p>
            : <Code label={bodyLabel} text={body} />}
        </div>
      )}
    </Shown>
  )
}

/** A request that came: what its signature is worth, and opened, all of it. */
export const Request = ({ club, inboxId, nameOf, of }: RequestProps) => {
  const isOpen = useSignal(false)
  const { answered, engine, name, repeated, verdicts } = said(words)
  const verdict = verdictOf(of.signature)
  return (
    <li class="request">
      <details open={isOpen.value} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary>
          <Icon name={isOpen.value ? "down" : "next"} />
          <span class="row">
            <strong>{name(number(of.number), of.method)}</strong>
            <Badge tone={tones[verdict]}>{verdicts[verdict]}</Badge>
            <span class="soft small">
              <Moment at={of.received_at} />,{" "}
              {answered(String(of.status), of.delay_ms === 0 ? "" : duration(of.delay_ms))}
              {of.size_bytes !== null && `, ${bytes(of.size_bytes)}`}
              {of.source === "engine" && `, ${engine}`}
              {of.repeated && `, ${repeated}`}
            </span>
          </span>
        </summary>
        {isOpen.value && (
          <div class="stack">
            <p>{signatureSentence(of.signature, nameOf, { language: language.value, number })}</p>
            <Detail club={club} inboxId={inboxId} of={of} />
          </div>
        )}
      </details>
    </li>
  )
}
