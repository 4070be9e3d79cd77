import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { type IncomingHttpHeaders, request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { isEndless } from "./Endless.ts"

/** An answer as it came, with the bytes of its body. */
export interface Exchanged {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The decoded body. */
  readonly text: string
}

const decoded = (bytes: Buffer, coding: string | undefined): string => {
  if (bytes.length === 0 || coding === undefined) return bytes.toString()
  return (coding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()
}

/**
 * Sends one request to the server of `AppLayer`, with these headers only. For an endless stream it answers the
 * beginning.
 */
export const exchange = Effect.fn("exchange")(function*(
  method: string,
  path: string,
  { body, headers = {}, token }: {
    readonly token?: string | undefined
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  } = {}
) {
  const { address } = yield* HttpServer.HttpServer
  if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
  const { port } = address
  const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
  return yield* Effect.callback<Exchanged>((resume) => {
    const all = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
      ...headers
    }
    const outgoing = request({ host: "127.0.0.1", port, method, path, headers: all, agent: false }, (response) => {
      const { headers, statusCode: status = 0 } = response
      const chunks: Array<Buffer> = []
      const end = () => {
        const bytes = Buffer.concat(chunks)
        resume(Effect.succeed({ status, headers, bytes, text: decoded(bytes, headers["content-encoding"]) }))
      }
      const isBeginning = status === 200 && isEndless(path)
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        if (!isBeginning) return
        end()
        outgoing.destroy()
      })
      response.on("end", end)
    })
    outgoing.on("error", (error) => resume(Effect.die(error)))
    outgoing.end(sent)
    return Effect.sync(() => outgoing.destroy())
  })
})
