import type { Schema } from "effect"
import cluster, { type Worker } from "node:cluster"
import { type FromSupervisor, readFromProcess } from "./Messages.ts"
import { type Answer, together } from "./Questions.ts"

/** The supervisor's callbacks for events of its processes, each by its number. */
export interface Listener {
  ready(id: number, pid: number): void
  /** `why` says which process has ended how. */
  ended(id: number, code: number, why: string): void
  metrics(id: number, round: number | null, text: string): void
  asked(subject: string, question: unknown, answer: (answer: Schema.Json) => void): void
}

/** A process that a signal ended may not have had the time to report it. */
const codeOf = (code: number | null, signal: string | null) =>
  signal === "SIGTERM" || signal === "SIGINT" ? 0 : code ?? 1

const send = (worker: Worker, message: FromSupervisor) => {
  // The channel of one that ends may be closed, and nobody waits for the answer.
  if (worker.isConnected()) worker.send(message, () => {})
}

/** A file that Node runs. */
export interface Program {
  readonly exec: string
  readonly args: Array<string>
}

/**
 * The processes as Node's `cluster` has them, each of this program. They get this process's options of Node and its
 * environment.
 */
export const makeWorkers = (program: Program, listener: Listener) => {
  const workers = new Map<number, Worker>()
  cluster.setupPrimary(program)
  // Connections are accepted here and handed out in turn; one that a process does not take any more goes to the next.
  cluster.schedulingPolicy = cluster.SCHED_RR

  const receive = (id: number, worker: Worker, answer: (answer: Answer) => void, received: unknown) => {
    const message = readFromProcess(received)
    switch (message?.type) {
      case "ready":
        return listener.ready(id, worker.process.pid ?? 0)
      case "metrics":
        return listener.metrics(id, message.round, message.text)
      case "ask":
        for (const [number, subject, question] of message.questions) {
          listener.asked(subject, question, (given) => answer([number, given]))
        }
    }
  }

  return {
    start(id: number): void {
      const worker = cluster.fork()
      workers.set(id, worker)
      let isGone = false
      const gone = (code: number, why: string) => {
        if (isGone) return
        isGone = true
        workers.delete(id)
        listener.ended(id, code, `Process ${worker.process.pid ?? ""} has ended (${why})`)
      }
      const answer = together<Answer>((answers) => send(worker, { type: "answer", answers }))
      worker.on("message", (received: unknown) => receive(id, worker, answer, received))
      worker.once("error", ({ message }) => {
        worker.process.kill("SIGKILL")
        if (worker.process.pid === undefined) gone(1, message)
      })
      worker.once(
        "exit",
        (code: number | null, signal: string | null) => gone(codeOf(code, signal), signal ?? `code ${code}`)
      )
    },
    send(id: number, message: FromSupervisor): void {
      const worker = workers.get(id)
      if (worker !== undefined) send(worker, message)
    }
  }
}
