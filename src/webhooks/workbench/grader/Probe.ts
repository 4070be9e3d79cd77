import { DateTime, Duration } from "effect"
import { bodyOf } from "../../../events/Envelope.ts"
import type { EventId } from "../../../events/EventType.ts"
import type { OrganizationId } from "../../../identity/ids/ClubId.ts"
import { ownText } from "../../../platform/text/Utf8.ts"
import { headersOf } from "../../send/AttemptHeaders.ts"
import type { Signers } from "../../send/Signature.ts"
import type { ProbeName } from "./ProbeName.ts"
import { headersSignedWrongly, withStranger } from "./WrongSignatures.ts"

/** The common parts of every probe of a grading. */
export interface Ground {
  /** Names the grading, in every body. */
  readonly grading_id: string
  readonly club_id: OrganizationId
  readonly endpoint_id: string
  /** All that sign for the endpoint. */
  readonly signers: Signers
  /** Secrets and keys of nobody, of the same kinds. */
  readonly stranger: Signers
}

/** One request, ready to be sent. */
export interface Probe {
  readonly name: ProbeName
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** How far the timestamp of a wrong probe is off. Five minutes are allowed. */
const offBy = Duration.minutes(10)

/** Bytes of what makes a body large, at the least. */
const filling = 200_000

const occurredAt = (name: ProbeName, now: DateTime.Utc) => {
  if (name === "later_first") return DateTime.subtractDuration(now, Duration.minutes(1))
  return name === "earlier_second" ? DateTime.subtractDuration(now, Duration.minutes(2)) : now
}

/** The secret and key that sign once all replaced ones have ended. */
const newestOf = ({ keys, secrets }: Signers): Signers => ({ keys: keys.slice(0, 1), secrets: secrets.slice(0, 1) })

/** True if something that was replaced still signs. */
export const isRotating = ({ keys, secrets }: Signers): boolean => keys.length > 1 || secrets.length > 1

const extras = (name: ProbeName): Readonly<Record<string, unknown>> =>
  name === "unknown_fields" ? { added_later: { list: [1, null, "ç"], flag: true }, another: null } : {}

const words = "This is a probe of a grading: it corresponds to no real fact"

/** Large by a field that there is, so that a receiver which refuses unknown ones is not accused of more. */
const messageOf = (name: ProbeName) => name === "large" ? `${words} ${"x".repeat(filling)}` : words

/**
 * The same JSON as no library writes it: with uneven spaces, a tab, and needless escapes. A receiver that parses it and
 * writes it again has other bytes than the signed ones.
 */
const written = (body: Uint8Array): Uint8Array =>
  Buffer.from(ownText(body)
    .replace("{", "{ \t")
    .replace("\"type\":", "\"type\"  :")
    .replace("This is", "\\u0054his\\u0020is")
    .replace(/\}$/, "\n}"))

/**
 * A probe as of now. `event_id` is its own, and of a repeat that of `right`. It is a `webhook.test` that says of itself what
 * it is, so that nobody takes it for a fact.
 */
export const probeOf = (ground: Ground, name: ProbeName, event_id: EventId, now: DateTime.Utc): Probe => {
  const { club_id, endpoint_id, grading_id, signers, stranger } = ground
  const probe = name === "repeated" ? "right" : name
  const usual = bodyOf({
    id: event_id,
    type: "webhook.test",
    occurred_at: occurredAt(name, now),
    club_id,
    data: {
      message: messageOf(name),
      endpoint_id,
      grading: { id: grading_id, probe },
      ...extras(name)
    }
  })
  const body = name === "unusual_json" ? written(usual) : usual
  const sent = { event_id, body }
  const right = (at: DateTime.Utc) => headersOf(sent, signers, at)
  switch (name) {
    case "old":
      return { name, body, headers: right(DateTime.subtractDuration(now, offBy)) }
    case "future":
      return { name, body, headers: right(DateTime.addDuration(now, offBy)) }
    case "newest_alone":
      return { name, body, headers: headersOf(sent, newestOf(signers), now) }
    case "rotated":
      return { name, body, headers: withStranger(right(now), sent, stranger, now) }
    case "unsigned":
    case "wrong_signature":
    case "other_body":
      return { name, body, headers: headersSignedWrongly(name, sent, { signers, stranger }, now) }
    default:
      return { name, body, headers: right(now) }
  }
}
