import { Sha256 } from "@aws-crypto/sha256-js"
import { SignatureV4 } from "@smithy/signature-v4"
import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** The account that the S3 server knows, with its region. */
export const account = { accessKeyId: "AKIATEST", secretAccessKey: "a/secret+of=S3", region: "eu-test-1" } as const

/** The reasons for refusing a request, by S3's names. */
export type SignatureProblem =
  | "AccessDenied"
  | "RequestTimeTooSkewed"
  | "SignatureDoesNotMatch"
  | "XAmzContentSHA256Mismatch"

const oracle = new SignatureV4({
  credentials: account,
  region: account.region,
  service: "s3",
  sha256: Sha256,
  uriEscapePath: false
})

const minute = 60_000
const unsigned = "UNSIGNED-PAYLOAD"
const contentHash = "x-amz-content-sha256"

const dateOf = (text: string) => {
  const [, y, m, d, h, min, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
  return new Date(`${y}-${m}-${d}T${h}:${min}:${s}Z`)
}

/** The headers that the client says are signed. Undefined if one is missing, or if a required header is unsigned. */
const signedOf = (request: IncomingMessage, names: string) => {
  const list = names.split(";")
  const hasToBe = Object.keys(request.headers).filter((name) => name.startsWith("x-amz-"))
  if (!["host", ...hasToBe].every((name) => list.includes(name))) return undefined
  const values = list.map((name) => [name, String(request.headers[name] ?? "")] as const)
  return values.every(([, value]) => value !== "") ? Object.fromEntries(values) : undefined
}

const requestOf = (request: IncomingMessage, headers: Record<string, string>) => {
  const url = new URL(request.url ?? "", "http://any")
  return {
    method: request.method ?? "",
    protocol: "http:",
    hostname: "any",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers
  }
}

const ofAddress = async (request: IncomingMessage, now: number): Promise<SignatureProblem | undefined> => {
  const asked = requestOf(request, {})
  const { "X-Amz-Signature": signature, ...query } = asked.query
  const headers = signedOf(request, query["X-Amz-SignedHeaders"] ?? "")
  const at = dateOf(query["X-Amz-Date"] ?? "")
  const expiresIn = Number(query["X-Amz-Expires"])
  if (headers === undefined || Number.isNaN(at.getTime()) || !(expiresIn > 0 && expiresIn <= 604_800)) {
    return "AccessDenied"
  }
  if (now >= at.getTime() + expiresIn * 1000 || at.getTime() > now + 15 * minute) return "AccessDenied"
  // The payload of a presigned address is unsigned. The address does not say so, but S3 knows.
  const hidden = new Set([contentHash])
  const right = await oracle.presign({ ...asked, query, headers: { ...headers, [contentHash]: unsigned } }, {
    signingDate: at,
    expiresIn,
    unhoistableHeaders: hidden,
    unsignableHeaders: hidden
  })
  const given: Record<string, unknown> = { ...query, "X-Amz-Signature": signature }
  const names = new Set([...Object.keys(given), ...Object.keys(right.query ?? {})])
  const isRight = [...names].every((name) => given[name] === right.query?.[name])
  return isRight ? undefined : "SignatureDoesNotMatch"
}

const ofHeader = async (request: IncomingMessage, body: Buffer, now: number): Promise<SignatureProblem | undefined> => {
  const { authorization = "", [contentHash]: sent, "x-amz-date": date = "" } = request.headers
  const headers = signedOf(request, /SignedHeaders=([^,]*)/.exec(authorization)?.[1] ?? "")
  const at = dateOf(String(date))
  if (headers === undefined || Number.isNaN(at.getTime())) return "AccessDenied"
  if (Math.abs(now - at.getTime()) > 15 * minute) return "RequestTimeTooSkewed"
  if (sent !== createHash("sha256").update(body).digest("hex")) return "XAmzContentSHA256Mismatch"
  const right = await oracle.sign(requestOf(request, headers), { signingDate: at })
  return right.headers["authorization"] === authorization ? undefined : "SignatureDoesNotMatch"
}

/**
 * The problem with a request's signature, in its address or its header; undefined if it is right. AWS' own signer
 * computes the signature of the same request.
 */
export const signatureProblem = (request: IncomingMessage, body: Buffer, now: number) =>
  (request.url ?? "").includes("X-Amz-Signature=") ? ofAddress(request, now) : ofHeader(request, body, now)
