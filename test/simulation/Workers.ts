import { Effect, Exit, Latch, Layer } from "effect"
import { LaneNotifications } from "../../src/webhooks/engine/lane/LaneNotifications.ts"
import { inboxScheme } from "../../src/webhooks/model/InboxId.ts"
import { Sender } from "../../src/webhooks/send/Sender.ts"
import { MovedGuardLayer } from "../harness/MovedTime.ts"
import { type Dice, randomLayer } from "./Dice.ts"
import type { Gate } from "./Gate.ts"
import type { Network } from "./Network.ts"
import { Process } from "./Process.ts"
import type { SimulatedTime } from "./Time.ts"
import { settings, type Watch, workerLayer } from "./Worker.ts"

/** A worker, and the effect that notifies it of wakes. */
export interface Worker {
  readonly process: Process
  readonly notify: Effect.Effect<void>
  isStarted: boolean
}

/** The dice, gate, network and time that processes run on. */
export interface Ground {
  readonly dice: Dice
  readonly gate: Gate
  readonly network: Network
  readonly time: SimulatedTime
}

const laneNotifications = () => {
  let count = 0
  const latch = Latch.makeUnsafe()
  const service = LaneNotifications.of({
    count: () => count,
    after: (seen) => Effect.suspend(() => count > seen ? Effect.void : latch.await)
  })
  const notify = Effect.suspend(() => {
    count += 1
    return latch.release
  })
  return { service, notify }
}

/** The workers of a simulation, in any state. `mourn` takes out the dead ones. */
export class Workers {
  all: ReadonlyArray<Worker> = []
  readonly #ground: Ground
  #made = 0

  constructor(ground: Ground) {
    this.#ground = ground
  }

  start(): Process {
    const { dice, gate, network, time } = this.#ground
    this.#made += 1
    const process = new Process(`worker${this.#made}`, time, dice.fork(), settings)
    const { notify, service } = laneNotifications()
    const worker: Worker = { process, notify, isStarted: false }
    // The network also records a request to an inbox of our own, although it does not send it.
    const watch: Watch = (sender) =>
      Sender.of({
        send: (request) =>
          request.url.startsWith(inboxScheme)
            ? network.handOver(process, request, sender.send(request))
            : sender.send(request)
      })
    const layer = workerLayer(watch).pipe(
      Layer.provide([
        Layer.succeed(LaneNotifications, service),
        Layer.succeed(Sender, Sender.of({ send: (request) => network.send(process, request) })),
        MovedGuardLayer,
        randomLayer(dice.fork())
      ]),
      Layer.provide(gate.clientOf(process))
    )
    process.start(layer).addObserver((exit) => {
      worker.isStarted = Exit.isSuccess(exit)
      if (Exit.isFailure(exit)) process.complaints.push(`it does not start: ${String(exit.cause)}`)
    })
    this.all = [...this.all, worker]
    return process
  }

  /** Stops it as at SIGTERM. It leaves the list once it has closed. */
  stop({ process }: Worker): void {
    process.stop().addObserver(() => {
      this.all = this.all.filter((one) => one.process !== process)
    })
  }

  /** The workers that should be able to work. */
  able(): ReadonlyArray<Worker> {
    return this.all.filter(({ isStarted, process }) => isStarted && process.state === "up" && !process.isStopping)
  }

  /** Removes the dead workers and answers their processes. */
  mourn(): ReadonlyArray<Process> {
    const dead = this.all.filter(({ process }) => process.state === "dead").map(({ process }) => process)
    this.all = this.all.filter(({ process }) => process.state !== "dead")
    return dead
  }
}
