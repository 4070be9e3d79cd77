import { Duration } from "effect"

/** A session is resumed for this long, so that a certificate is looked at again now and then. */
const longestUse = Duration.toMillis(Duration.minutes(10))

const mostSessions = 1000

/** TLS sessions to resume, the latest by host and port, for the hosts that were last connected to. */
export class TlsSessions {
  readonly #sessions = new Map<string, { readonly session: Buffer; readonly checkedAt: number }>()

  /** One whose certificate was checked less than ten minutes before `now`, in epoch milliseconds. */
  get(host: string, now: number): Buffer | undefined {
    const known = this.#sessions.get(host)
    return known !== undefined && now - known.checkedAt < longestUse ? known.session : undefined
  }

  /** `resumed` says that the connection resumed an earlier session, so its certificate was not checked again. */
  set(host: string, session: Buffer, { now, resumed }: { readonly now: number; readonly resumed: boolean }): void {
    const checkedAt = resumed ? this.#sessions.get(host)?.checkedAt : now
    if (checkedAt === undefined) return
    this.#sessions.delete(host)
    this.#sessions.set(host, { session, checkedAt })
    if (this.#sessions.size <= mostSessions) return
    for (const oldest of this.#sessions.keys()) return void this.#sessions.delete(oldest)
  }
}
