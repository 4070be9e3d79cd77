import { Duration } from "effect"
import type { Connection } from "./Connection.ts"

/** The part of a connection that the pool uses. */
export type PooledConnection = Pick<Connection, "destroy" | "host" | "isOpen" | "openedAt">

/** The address check of a connection holds for this long (webhook-engine, Address rules). */
const longestLife = Duration.toMillis(Duration.minutes(1))

/** Connections that wait for another request, by host and port. Most recently used first, so that the rest can go. */
export class ConnectionPool<C extends PooledConnection> {
  readonly #idle = new Map<string, Array<C>>()
  /** All of them, the longest idle first. */
  readonly #all = new Set<C>()
  readonly #mostByHost: number
  readonly #most: number

  constructor({ byHost, overall }: { readonly byHost: number; readonly overall: number }) {
    this.#mostByHost = byHost
    this.#most = overall
  }

  /** Takes out a connection that is open and was opened less than a minute ago. */
  take(host: string, now: number): C | undefined {
    const idle = this.#idle.get(host)
    for (let connection = idle?.pop(); connection !== undefined; connection = idle?.pop()) {
      this.#all.delete(connection)
      if (idle?.length === 0) this.#idle.delete(host)
      if (connection.isOpen && now - connection.openedAt < longestLife) return connection
      connection.destroy()
    }
    return undefined
  }

  /** Keeps it for another request, and closes the connection that was idle longest if there are too many. */
  put(connection: C): void {
    const idle = this.#idle.get(connection.host) ?? []
    this.#idle.set(connection.host, idle)
    idle.push(connection)
    this.#all.add(connection)
    const [oldest] = idle.length > this.#mostByHost ? idle : this.#all
    if (oldest !== undefined && (idle.length > this.#mostByHost || this.#all.size > this.#most)) this.close(oldest)
  }

  /** Closes one, and forgets it if it was idle. */
  close(connection: C): void {
    this.#remove(connection)
    connection.destroy()
  }

  /** Closes all of them. */
  closeAll(): void {
    for (const connection of this.#all) this.close(connection)
  }

  #remove(connection: C): void {
    if (!this.#all.delete(connection)) return
    const others = (this.#idle.get(connection.host) ?? []).filter((other) => other !== connection)
    if (others.length === 0) this.#idle.delete(connection.host)
    else this.#idle.set(connection.host, others)
  }
}
