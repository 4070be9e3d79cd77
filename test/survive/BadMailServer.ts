import { Effect } from "effect"
import { createServer, type Socket } from "node:net"
import { listeningTcp } from "../harness/Listening.ts"

/** The server's treatment of mails and connections. */
export type MailMood = "accept" | "drop" | "busy" | "silent"

/** A mail that was sent completely, with any answer. */
interface Sent {
  readonly recipient: string
  readonly messageId: string
  readonly mood: MailMood
}

const answers: Readonly<Record<string, string>> = { EHLO: "250 mail.example", MAIL: "250 ok", QUIT: "221 bye" }

/**
 * A mail server with moods:
 * - `accept` takes mails;
 * - `drop` reads the whole mail and closes the connection without an answer;
 * - `busy` has no room for a while (451);
 * - `silent` accepts connections and sends nothing.
 */
export const startBadMailServer = Effect.gen(function*() {
  const sent: Array<Sent> = []
  const sockets = new Set<Socket>()
  let mood: MailMood = "accept"
  let greeted = 0

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => sockets.delete(socket))
    if (mood === "silent") return void greeted++
    socket.write("220 mail.example\r\n")
    let recipient = ""
    let data: string | undefined
    let rest = ""
    const end = (body: string) => {
      const messageId = /^Message-ID: <([^>]+)>/im.exec(body)?.[1] ?? ""
      sent.push({ recipient, messageId, mood })
      if (mood === "drop") return void socket.destroy()
      socket.write("250 queued\r\n")
    }
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === "RCPT") {
        recipient = /<([^>]*)>/.exec(line)?.[1] ?? ""
        return void socket.write(mood === "busy" ? "451 4.3.0 try later\r\n" : "250 ok\r\n")
      }
      if (verb === "DATA") {
        data = ""
        return void socket.write("354 go on\r\n")
      }
      socket.write(`${answers[verb] ?? "250 ok"}\r\n`)
    }
    socket.on("data", (bytes: Buffer) => {
      rest += bytes.toString("latin1")
      for (let at = rest.indexOf("\r\n"); at >= 0; at = rest.indexOf("\r\n")) {
        const line = rest.slice(0, at)
        rest = rest.slice(at + 2)
        if (data === undefined) command(line)
        else if (line === ".") {
          const body = data
          data = undefined
          end(body)
        } else data += `${line}\r\n`
      }
    })
  })
  const port = yield* listeningTcp(server, () => {
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    sent,
    /** Number of connections that it left without a greeting. */
    greeted: () => greeted,
    /** Changes the mood. Open connections end with the old mood. */
    become: (next: MailMood) =>
      Effect.sync(() => {
        mood = next
        for (const socket of sockets) socket.destroy()
      })
  }
})
