import { Effect, Queue } from "effect"
import { request } from "node:http"
import { connect } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { at } from "../../harness/App.ts"
import type { Received } from "../../harness/Smtp.ts"
import { ask, post, postCounted } from "../../harness/Turma.ts"
import { archive } from "../../learning/media/Files.ts"

export const mebibyte = 1024 * 1024

interface Club {
  /** The address up to the club's id. */
  readonly url: string
  readonly token: string
}

/** Signs up at a service, confirms with its mail and founds a club. */
export const foundAt = Effect.fnUntraced(function*(url: string, mails: Queue.Dequeue<Received>) {
  const auth = `${url}/v1/auth/admin`
  const ana = { email: "ana@people.example", password: "violao e voz" }
  yield* postCounted(`${auth}/sign-up`, { name: "Ana", ...ana })
  const { email } = yield* Queue.take(mails)
  yield* postCounted(`${auth}/confirm`, { token: /token=([\w-]{43})/.exec(email.text ?? "")?.[1] })
  const token = String(at((yield* postCounted(`${auth}/sign-in`, ana)).json, "data", "access_token"))
  const { json } = yield* post(`${url}/v1/clubs`, { name: "Violão Fácil" }, token)
  return { url: `${url}/v1/clubs/${String(at(json, "data", "organization_id"))}`, token }
})

/** An archive of this many bytes. The client holds one mebibyte at a time. */
const fileOf = function*(size_bytes: number) {
  const zeros = Buffer.alloc(mebibyte)
  const start = archive("a.txt", "hello")
  yield start
  for (let left = size_bytes - start.length; left > 0; left -= mebibyte) {
    yield zeros.subarray(0, Math.min(left, mebibyte))
  }
}

/** Sends such a file and returns the status. */
const put = (url: string, headers: Record<string, string>, size_bytes: number) =>
  Effect.callback<number>((resume) => {
    const whole = { ...headers, "content-length": size_bytes }
    const sent = request(url, { method: "PUT", headers: whole, agent: false }, (response) => {
      response.resume().once("end", () => resume(Effect.succeed(response.statusCode ?? 0)))
    })
    pipeline(Readable.from(fileOf(size_bytes)), sent).catch((error: unknown) => resume(Effect.die(error)))
  })

const endOfHead = "\r\n\r\n"

/**
 * The length of the answer's body, in bytes. It reads into the same memory again and again. A client of Node would take
 * new memory for each chunk and spend more time on its collection than the service spends on the file.
 */
const bytesAt = (url: string) =>
  Effect.callback<number>((resume) => {
    const { host, hostname, pathname, port, search } = new URL(url)
    let head = ""
    let count = 0
    const read = (length: number, buffer: Uint8Array) => {
      count += length
      if (!head.includes(endOfHead)) head += Buffer.from(buffer.subarray(0, length)).toString("latin1")
      return true
    }
    const onread = { buffer: Buffer.alloc(mebibyte), callback: read }
    connect({ host: hostname, port: Number(port), onread })
      .once("error", (error) => resume(Effect.die(error)))
      .once("close", () => resume(Effect.succeed(count - head.indexOf(endOfHead) - endOfHead.length)))
      .write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close${endOfHead}`)
  })

/** Announces a file of this size, sends and confirms it, and downloads it. */
export const roundTrip = Effect.fnUntraced(function*({ token, url }: Club, size_bytes: number) {
  const announced = { file_name: "large.zip", mime: "application/zip", size_bytes }
  const { json } = yield* post(`${url}/media`, announced, token)
  const upload = Object(at(json, "data", "upload"))
  const status = yield* put(upload.url, upload.headers, size_bytes)
  const media = `${url}/media/${String(at(json, "data", "media", "id"))}`
  const completed = yield* post(`${media}/complete`, "", token)
  const found = yield* ask(`${media}/download`, { headers: { authorization: `Bearer ${token}` } })
  const count = yield* bytesAt(String(at(found.json, "data", "url")))
  return [status, at(completed.json, "data", "status"), count]
})
