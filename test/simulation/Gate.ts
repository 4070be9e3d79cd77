import { Effect, Exit, Fiber, type Layer, Option } from "effect"
import type { SqlClient, SqlConnection, SqlError } from "effect/sql"
import { type Client, clientLayer, isDead, type Through } from "./Client.ts"
import type { Dice } from "./Dice.ts"
import type { Link, Links } from "./Links.ts"
import type { SimulatedTime } from "./Time.ts"

interface Waiting {
  readonly client: Client
  readonly link: Link | undefined
  readonly text: string
  /** Sends it. Ends once the answer came, with the error if there is one. */
  readonly send: (connection: SqlConnection.Connection) => Effect.Effect<SqlError.SqlError | undefined>
  /** Hands the answer to the fiber that waits for it. */
  readonly deliver: () => void
}

interface Sent {
  readonly waiting: Waiting
  readonly link: Link
  readonly fiber: Fiber.Fiber<SqlError.SqlError | undefined>
}

/** Milliseconds of the real clock. Most answers come within this time. Later ones often wait for another statement. */
const soon = 10

/** Ends when the first of them ends, or after `soon`. It runs at every statement: racing fibers would be too slow. */
const firstOrSoon = (sent: ReadonlyArray<Sent>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const clears: Array<() => void> = []
    const clear = () => clears.forEach((one) => one())
    const end = () => {
      clear()
      resume(Effect.void)
    }
    const timer = setTimeout(end, soon)
    clears.push(() => clearTimeout(timer))
    for (const { fiber } of sent) clears.push(fiber.addObserver(end))
    return Effect.sync(clear)
  })

const kept = 80

const isOver = ({ fiber }: Sent) => fiber.pollUnsafe() !== undefined
const isOrdered = (text: string) => /order by[^)]*$/i.test(text)
const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 160)
const keyOf = (row: unknown) => JSON.stringify(row, (_, value) => typeof value === "bigint" ? `${value}` : value)

// The places of rows on disk must not change a simulation.
const putInOrder = (answer: unknown, text: string): void => {
  if (!Array.isArray(answer) || answer.length < 2 || isOrdered(text)) return
  const keyed = answer.map((row): readonly [string, unknown] => [keyOf(row), row])
  const inOrder = keyed.toSorted(([one], [other]) => one < other ? -1 : 1).map(([, row]) => row)
  answer.splice(0, answer.length, ...inOrder)
}

/**
 * Lets the statements of all simulated processes through, one at a time. The dice decide the order. While a statement
 * waits for a lock, others go on.
 */
export class Gate {
  /** Errors of PostgreSQL, such as a deadlock. */
  readonly errors: Array<string> = []
  readonly #latest: Array<Pick<Waiting, "client" | "text">> = []
  statements = 0
  #waiting: Array<Waiting> = []
  #sent: Array<Sent> = []
  /** The sessions that hold locks others wait for. */
  #holders: ReadonlySet<number> = new Set()
  readonly #withheld: Array<Waiting> = []
  readonly #free: Array<Link>
  readonly #monitor: Link
  readonly #dice: Dice
  readonly #time: Pick<SimulatedTime, "quiet">

  constructor({ links, monitor }: Links, dice: Dice, time: Pick<SimulatedTime, "quiet">) {
    this.#free = [...links]
    this.#monitor = monitor
    this.#dice = dice
    this.#time = time
  }

  /** The latest statements, each with the name of its process. */
  trace(): ReadonlyArray<string> {
    return this.#latest.map(({ client, text }) => `${client.name}: ${inOneLine(text)}`)
  }

  /** A statement of the harness itself, past the gate. */
  ask(text: string, params: ReadonlyArray<unknown> = []): Effect.Effect<ReadonlyArray<Record<string, unknown>>> {
    return Effect.orDie(this.#monitor.connection.execute(text, params, undefined))
  }

  /** The `SqlClient` of one process. */
  clientOf(client: Client): Layer.Layer<SqlClient.SqlClient> {
    const through: Through = (link, text, run) =>
      Effect.callback((resume) => this.#enqueue(client, link, text, run, resume))
    return clientLayer(through, {
      // Fibers of a dead process still wake. They must not take sessions from living processes.
      borrow: Effect.suspend(() => {
        if (isDead(client)) return Effect.never
        const link = this.#borrow()
        client.links.add(link)
        return Effect.succeed(link)
      }),
      // `bury` rolls back the open transactions of a dead process.
      giveBack: (link) => {
        if (!isDead(client) && client.links.delete(link)) this.#free.push(link)
      }
    })
  }

  /** Sends waiting statements until every fiber waits for time or the network, or its process is not up. */
  settle(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      while (true) {
        yield* this.#time.quiet()
        if (this.#withheld.length > 0) {
          for (const waiting of this.#withheld.splice(0)) this.#handOver(waiting)
          yield* this.#time.quiet()
        }
        const next = this.#dice.pick(this.#ready())
        if (next !== undefined) yield* this.#pass(next)
        else if (this.#sent.length === 0 || this.#isHeldUp()) return
        else yield* this.#reap(true)
      }
    })
  }

  /** Rolls back the open transactions of a dead process, as PostgreSQL does when its connections break. */
  bury(client: Client): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      this.#waiting = this.#waiting.filter((one) => one.client !== client)
      for (const { fiber, link } of this.#sent.filter(({ waiting }) => waiting.client === client)) {
        yield* this.ask("select pg_cancel_backend($1::int)", [link.pid])
        yield* Fiber.await(fiber)
      }
      for (const link of client.links) {
        yield* Effect.orDie(link.connection.execute("ROLLBACK", [], undefined))
        this.#free.push(link)
      }
      client.links.clear()
      yield* this.#reap(false)
    })
  }

  // A process whose lock others wait for goes first. PostgreSQL would choose among several that wait for one lock.
  #ready(): ReadonlyArray<Waiting> {
    const ready = this.#waiting.filter(({ client }) => client.state === "up")
    const holding = this.#sent.length === 0 ? [] : ready.filter(({ link }) => link && this.#holders.has(link.pid))
    return holding.length > 0 ? holding : ready
  }

  // A frozen process may hold a lock that others wait for.
  #isHeldUp(): boolean {
    return this.#waiting.some(({ client }) => client.state === "frozen" && client.links.size > 0)
  }

  #pass(waiting: Waiting): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
      const { client, text } = waiting
      client.passed("before")
      if (isDead(client)) return yield* this.bury(client)
      this.statements += 1
      this.#latest.push({ client, text })
      if (this.#latest.length > kept) this.#latest.shift()
      const link = waiting.link ?? this.#borrow()
      const fiber = yield* Effect.forkChild(waiting.send(link.connection), { startImmediately: true })
      const sent = { waiting, link, fiber }
      this.#sent.push(sent)
      yield* firstOrSoon([sent])
      yield* this.#reap(false)
    })
  }

  /**
   * Waits until every sent statement is over or waits for a lock. If `patient`, it also waits until one is over. Then
   * it answers the finished statements in the order in which they were sent: their speed must not matter.
   */
  #reap(patient: boolean): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      while (this.#sent.length > 0) {
        const open = this.#sent.filter((sent) => !isOver(sent))
        const isSettled = open.length === 0 || (yield* this.#areBlocked(open))
        const over = this.#sent.filter(isOver)
        // A statement that ended meanwhile may have freed others.
        if (isSettled && open.length + over.length === this.#sent.length && (over.length > 0 || !patient)) {
          this.#sent = this.#sent.filter((sent) => !over.includes(sent))
          return yield* Effect.forEach(over, (sent) => this.#answer(sent), { discard: true })
        }
        yield* firstOrSoon(open)
      }
    })
  }

  #areBlocked(sent: ReadonlyArray<Sent>): Effect.Effect<boolean> {
    const pids = sent.map(({ link }) => link.pid)
    const asked = this.ask(
      `select pid, pg_blocking_pids(pid)::text[] as holders from unnest($1::text::int[]) pid
       where cardinality(pg_blocking_pids(pid)) > 0`,
      [`{${pids.join(",")}}`]
    )
    return Effect.map(asked, (blocked) => {
      this.#holders = new Set(blocked.flatMap(({ holders }) => Array.isArray(holders) ? holders.map(Number) : []))
      return blocked.length === pids.length
    })
  }

  #answer({ fiber, link, waiting }: Sent): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      const { client, text } = waiting
      if (waiting.link === undefined) this.#free.push(link)
      if (isDead(client)) return
      const error = yield* Fiber.join(fiber)
      if (error !== undefined) {
        this.errors.push(`${client.name}: ${error.message} ${String(error.reason.cause)} in ${text}`)
      }
      client.passed("after")
      if (isDead(client)) yield* this.bury(client)
      else this.#handOver(waiting)
    })
  }

  #handOver(waiting: Waiting): void {
    if (waiting.client.state === "up") waiting.deliver()
    else if (waiting.client.state === "frozen") this.#withheld.push(waiting)
  }

  #borrow(): Link {
    const link = this.#free.pop()
    if (link === undefined) throw new Error("The simulation has too few connections")
    return link
  }

  #enqueue<A>(
    client: Client,
    link: Link | undefined,
    text: string,
    run: (connection: SqlConnection.Connection) => Effect.Effect<A, SqlError.SqlError>,
    resume: (answer: Effect.Effect<A, SqlError.SqlError>) => void
  ): Effect.Effect<void> {
    let answer: Effect.Effect<A, SqlError.SqlError> = Effect.never
    let ended: (() => void) | undefined
    let phase: "asked" | "sent" | "delivered" = "asked"
    const waiting: Waiting = {
      client,
      link,
      text,
      send: (connection) => {
        phase = "sent"
        return Effect.map(Effect.exit(run(connection)), (exit) => {
          if (Exit.isSuccess(exit)) putInOrder(exit.value, text)
          answer = exit
          return Option.getOrUndefined(Exit.findErrorOption(exit))
        })
      },
      deliver: () => {
        phase = "delivered"
        ended?.()
        resume(answer)
      }
    }
    this.#waiting.push(waiting)
    // An interrupted fiber takes back a statement that was not sent yet, and waits for the end of one that was.
    return Effect.callback((over) => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
      if (phase === "sent") ended = () => over(Effect.void)
      else over(Effect.void)
    })
  }
}
