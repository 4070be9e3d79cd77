import { at, listAt, send } from "../../harness/App.ts"

// Messages of the protocol, right or wrong, one request each.

const both = "application/json, text/event-stream"
export const newest = "2025-11-25"

export interface Said {
  readonly token?: string | undefined
  readonly headers?: Record<string, string>
}

/** Sends one message as it is. */
export const post = (body: unknown, { headers = {}, token }: Said = {}) =>
  send("POST", "/mcp", {
    body,
    headers: { accept: both, "mcp-protocol-version": newest, ...headers },
    ...(token === undefined ? {} : { token })
  })

let id = 0
export const ask = (method: string, params: object, said: Said) =>
  post({ jsonrpc: "2.0", id: ++id, method, params }, said)

export const call = (name: string, given: object, said: Said) => ask("tools/call", { name, arguments: given }, said)

export const initialize = (said: Said, version = newest) =>
  ask("initialize", { protocolVersion: version, capabilities: {}, clientInfo: { name: "a", version: "1" } }, said)

export const namesIn = (answer: { readonly json: unknown }) =>
  listAt(answer.json, "result", "tools").map((tool) => String(at(tool, "name")))

export const textOf = (answer: { readonly json: unknown }) => String(at(answer.json, "result", "content", 0, "text"))
