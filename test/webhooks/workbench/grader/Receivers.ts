import { DateTime, Result } from "effect"
import { createPublicKey } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { verifyWebhook } from "../../../../src/sdk/webhooks/verifyWebhook.ts"
import { verifySignature } from "../../../../src/webhooks/send/Signature.ts"
import { formatPublicKey, keyOfSeed, publicBytesOf } from "../../../../src/webhooks/send/SigningKey.ts"
import { at } from "../../../harness/App.ts"
import type { Answer, ReceivedRequest } from "../../../harness/Receiver.ts"

// Receivers with one fault each, and receivers without a fault.

export const key = new Uint8Array(32).fill(7)
const secret = `whsec_${Buffer.from(key).toString("base64")}`
export const privateKey = keyOfSeed(new Uint8Array(32).fill(8))
const publicKey = formatPublicKey(publicBytesOf(privateKey))

type Handles = (request: ReceivedRequest) => Answer | Promise<Answer>

const ok: Answer = { status: 200, body: "ok" }
const no: Answer = { status: 400, body: "no" }

const verified = (secrets: ReadonlyArray<Uint8Array>, { body, headers }: ReceivedRequest, now = DateTime.nowUnsafe()) =>
  Result.isSuccess(verifySignature({
    secrets,
    id: headers["webhook-id"],
    timestamp: headers["webhook-timestamp"],
    signature: headers["webhook-signature"],
    body,
    now
  }))

const verifiedByPublicKey = ({ body, headers }: ReceivedRequest, now = DateTime.nowUnsafe()) =>
  Result.isSuccess(verifySignature({
    secrets: [],
    publicKeys: [createPublicKey(privateKey)],
    id: headers["webhook-id"],
    timestamp: headers["webhook-timestamp"],
    signature: headers["webhook-signature"],
    body,
    now
  }))

const throwing = (verify: (request: ReceivedRequest) => unknown): Handles => async (request) => {
  try {
    await verify(request)
    return ok
  } catch {
    return no
  }
}

/** Receivers without a fault. */
export const right: Readonly<Record<string, () => Handles>> = {
  "the library standardwebhooks": () =>
    throwing(({ body, headers }) => new Webhook(secret).verify(body.toString(), { ...headers })),
  "the library svix": () =>
    throwing(({ body, headers }) => new SvixWebhook(secret).verify(body.toString(), { ...headers })),
  "the SDK": () => throwing(({ body, headers }) => verifyWebhook({ secret, headers, body })),
  "one that knows only the newer of two secrets, and drops repeats with 204": () => {
    const seen = new Set<string>()
    return (request) => {
      if (!verified([key], request)) return { status: 401 }
      const id = request.headers["webhook-id"] ?? ""
      if (seen.has(id)) return { status: 204, headers: { "turma-seen": "1" } }
      seen.add(id)
      return ok
    }
  },
  "one behind something that shuts out who was refused four times": () => {
    let refusals = 0
    return (request) => {
      if (refusals >= 4) return { status: 403 }
      if (verified([key], request)) return ok
      refusals += 1
      return no
    }
  }
}

/** Receivers without a fault that know the endpoint's public key but no secret. */
export const rightByPublicKey: Readonly<Record<string, () => Handles>> = {
  "the SDK": () => throwing(({ body, headers }) => verifyWebhook({ secret: publicKey, headers, body })),
  "Ed25519 by hand, with repeats dropped by 200": () => {
    const seen = new Set<string>()
    return (request) => {
      if (!verifiedByPublicKey(request)) return no
      const id = request.headers["webhook-id"] ?? ""
      const isRepeat = seen.has(id)
      seen.add(id)
      return isRepeat ? { ...ok, headers: { "turma-seen": "1" } } : ok
    }
  }
}

const probeIn = ({ body }: ReceivedRequest) => String(at(JSON.parse(body.toString()), "data", "grading", "probe"))

/** True if the data has only the fields of a test and the mark of a grading. */
const isKnown = ({ body }: ReceivedRequest) =>
  Object.keys(Object(at(JSON.parse(body.toString()), "data"))).every((name) =>
    ["message", "endpoint_id", "grading"].includes(name)
  )

const never = new Promise<never>(() => {})

/** A receiver without a fault, except that `faulty` may answer the valid requests. */
const but = (faulty: (request: ReceivedRequest) => Answer | Promise<Answer> | undefined): Handles => (request) =>
  verified([key], request) ? faulty(request) ?? ok : no

const timestampOf = ({ headers }: ReceivedRequest) => DateTime.makeUnsafe(Number(headers["webhook-timestamp"]) * 1000)

interface Planted {
  readonly fault: string
  /** How its endpoint signs, if not by HMAC alone. */
  readonly signing?: "both"
  /** Makes the receiver. `drop` ends all its connections. */
  readonly receiver: (drop: () => void) => Handles
  /** Shorter than the contract's deadline, if a test has to wait for it. */
  readonly deadline?: string
  /** The grading finds exactly these faults. */
  readonly codes: ReadonlyArray<string>
  readonly grade: string
}

export const planted: ReadonlyArray<Planted> = [
  {
    fault: "takes everything",
    receiver: () => () => ok,
    codes: ["verifies_nothing"],
    grade: "F"
  },
  {
    fault: "looks only whether there is a signature, and at the clock",
    receiver: () => (request) => {
      const seconds = DateTime.toEpochMillis(DateTime.nowUnsafe()) / 1000
      const isTimely = Math.abs(seconds - Number(request.headers["webhook-timestamp"])) <= 300
      return request.headers["webhook-signature"] !== undefined && isTimely ? ok : no
    },
    codes: ["accepts_wrong_signature", "accepts_other_body"],
    grade: "E"
  },
  {
    fault: "verifies a signature only where there is one",
    receiver: () => (request) =>
      request.headers["webhook-signature"] === undefined || verified([key], request) ? ok : no,
    codes: ["accepts_unsigned"],
    grade: "E"
  },
  {
    fault: "does not look at the timestamp",
    receiver: () => (request) => verified([key], request, timestampOf(request)) ? ok : no,
    codes: ["accepts_old", "accepts_future"],
    grade: "D"
  },
  {
    fault: "has another secret",
    receiver: () => (request) => verified([new Uint8Array(32)], request) ? ok : no,
    codes: ["refuses_right_deliveries"],
    grade: "F"
  },
  {
    fault: "reads only the first signature",
    receiver: () => (request) => {
      const [first = ""] = (request.headers["webhook-signature"] ?? "").split(" ")
      return verified([key], { ...request, headers: { ...request.headers, "webhook-signature": first } }) ? ok : no
    },
    codes: ["refuses_rotated"],
    grade: "C"
  },
  {
    fault: "redirects",
    receiver: () => but(() => ({ status: 302, headers: { location: "https://elsewhere.example/" } })),
    codes: ["redirects"],
    grade: "F"
  },
  {
    fault: "breaks on fields that it does not know",
    receiver: () => but((request) => probeIn(request) === "unknown_fields" ? { status: 500 } : undefined),
    codes: ["breaks_on_unknown_fields"],
    grade: "C"
  },
  {
    fault: "takes no field but those that there are",
    receiver: () => but((request) => isKnown(request) ? undefined : { status: 422 }),
    codes: ["breaks_on_unknown_fields"],
    grade: "C"
  },
  {
    fault: "verifies a body that it has parsed and written again",
    receiver: () => (request) =>
      verified([key], { ...request, body: Buffer.from(JSON.stringify(JSON.parse(request.body.toString()))) }) ? ok : no,
    codes: ["verifies_rewritten_json"],
    grade: "C"
  },
  {
    fault: "answers a repeat with 409",
    receiver: () => {
      const seen = new Set<string>()
      return but(({ headers }) => {
        const id = headers["webhook-id"] ?? ""
        if (seen.has(id)) return { status: 409 }
        seen.add(id)
        return undefined
      })
    },
    codes: ["refuses_repeated"],
    grade: "C"
  },
  {
    fault: "takes no body of more than 100 KB",
    receiver: () => but(({ body }) => body.length > 100_000 ? { status: 413 } : undefined),
    codes: ["refuses_large"],
    grade: "B"
  },
  {
    fault: "wants the order in which things happened",
    receiver: () => {
      let newest = 0
      return but(({ body }) => {
        const occurred = Date.parse(String(at(JSON.parse(body.toString()), "occurred_at")))
        if (occurred < newest - 90_000) return { status: 422 }
        newest = Math.max(newest, occurred)
        return undefined
      })
    },
    codes: ["refuses_reordered"],
    grade: "C"
  },
  {
    fault: "calls everything repeated",
    receiver: () => but(() => ({ status: 200, headers: { "turma-seen": "1" } })),
    codes: ["calls_first_repeated"],
    grade: "B"
  },
  {
    fault: "ends the connection, TLS and all, where a body is large",
    receiver: (drop) =>
      but(({ body }) => {
        if (body.length <= 100_000) return undefined
        drop()
        return never
      }),
    codes: ["ends_connection"],
    grade: "C"
  },
  {
    fault: "never answers to a field that it does not know",
    deadline: "4 seconds",
    receiver: () => but((request) => probeIn(request) === "unknown_fields" ? never : undefined),
    codes: ["no_answer_in_time"],
    grade: "C"
  },
  {
    fault: "takes a public key's signature of any timestamp",
    signing: "both",
    receiver: () => (request) => verifiedByPublicKey(request, timestampOf(request)) ? ok : no,
    codes: ["accepts_old", "accepts_future"],
    grade: "D"
  },
  {
    fault: "takes whatever claims to be signed by a private key",
    signing: "both",
    receiver: () => (request) => (request.headers["webhook-signature"] ?? "").includes("v1a,") ? ok : no,
    codes: ["accepts_wrong_signature", "accepts_other_body", "accepts_old", "accepts_future"],
    grade: "E"
  },
  {
    fault: "takes two requests and then answers 429",
    receiver: () => {
      let taken = 0
      return (request) => {
        taken += 1
        if (taken > 2) return { status: 429 }
        return verified([key], request) ? ok : no
      }
    },
    codes: ["signatures_unknown", "was_busy"],
    grade: "C"
  },
  {
    fault: "forgets what it has had, by its own account",
    receiver: () => but(() => ({ ...ok, headers: { "turma-seen": "0" } })),
    codes: ["forgets_repeats"],
    grade: "B"
  },
  {
    fault: "ends the connection after each answer",
    receiver: () => (request) => ({
      status: verified([key], request) ? 200 : 400,
      headers: { connection: "close" }
    }),
    codes: ["connections_not_reused"],
    grade: "A"
  }
]
