import { Effect } from "effect"
import { createSocket } from "node:dgram"

/**
 * The addresses of a name, IPv4 and IPv6 by type. `SERVFAIL` answers with that error, `silence` does not answer, and
 * `garbage` answers with an invalid message.
 */
type Entry =
  | { readonly A?: ReadonlyArray<Uint8Array>; readonly AAAA?: ReadonlyArray<Uint8Array> }
  | "SERVFAIL"
  | "silence"
  | "garbage"

/** The names that a server knows. A test may change them while it runs. */
export type Zone = Record<string, Entry>

const questionOf = (query: Buffer) => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length).toLowerCase())
    at += 1 + length
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 }
}

// RFC 1035, 4: the header, the question again, and records that point back to its name.
const answerTo = (query: Buffer, zone: Zone) => {
  const { end, name, type } = questionOf(query)
  const known = zone[name]
  if (known === "silence") return undefined
  if (known === "garbage") return Buffer.concat([query.subarray(0, 2), Buffer.alloc(40, 0xff)])
  const records = known === undefined || known === "SERVFAIL" ? [] : (type === 28 ? known.AAAA : known.A) ?? []
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (known === undefined ? 3 : known === "SERVFAIL" ? 2 : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  const answers = records.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length])
    return Buffer.concat([record, address])
  })
  return Buffer.concat([head, query.subarray(12, end), ...answers])
}

/** A real name server on the loopback interface, stopped with the scope, and the names in its queries. */
export const startNameServer = Effect.fnUntraced(function*(zone: Zone) {
  const asked: Array<string> = []
  const socket = createSocket("udp4")
  socket.on("message", (query, { address, port }) => {
    asked.push(questionOf(query).name)
    const answer = answerTo(query, zone)
    if (answer !== undefined) socket.send(answer, port, address)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      socket.bind(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
  )
  return { address: `127.0.0.1:${socket.address().port}`, asked }
})
