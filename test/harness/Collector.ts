import { Effect } from "effect"
import { createServer } from "node:http"
import { listening } from "./Listening.ts"

/** A collector of telemetry on the loopback interface. It keeps all bodies by path, or never answers. */
export const startCollector = Effect.fnUntraced(function*(manner: "answers" | "hangs" = "answers") {
  const received = new Map<string, string>()
  const traces: Array<string> = []
  const server = createServer((request, response) => {
    const path = request.url ?? ""
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const headers = JSON.stringify(request.headers)
      const body = Buffer.concat(chunks).toString()
      if (path === "/v1/traces") traces.push(body)
      received.set(path, `${received.get(path) ?? ""}${headers}${body}`)
      if (manner === "answers") response.end("{}")
    })
  })
  const port = yield* listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    /** The bodies of all traces that it got. */
    traces
  }
})
