import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { account } from "./S3Signatures.ts"

export interface S3Object {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
  /** In milliseconds. */
  readonly modified: number
}

export interface S3Answer {
  readonly status: number
  readonly headers?: Record<string, string | number>
  readonly body?: string | Buffer
}

/** A request before its answer. */
export interface S3Call {
  readonly method: string
  /** The key without the bucket. */
  readonly key: string
  readonly query: URLSearchParams
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

export const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

export const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${body}`

/** An error in the format of S3. */
export const refusal = (status: number, code: string): S3Answer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: xml(`<Error><Code>${code}</Code><Message>About ${account.accessKeyId} &amp; more</Message></Error>`)
})

export const etagOf = (body: Buffer) => `"${createHash("md5").update(body).digest("hex")}"`
