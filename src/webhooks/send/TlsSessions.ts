import { type DateTime, Duration } from "effect"

/** A session is resumed for this long, so that a certificate is looked at again now and then. */
const longestUse = Duration.toMillis(Duration.minutes(10))

const mostSessions = 1000

/** A session, and the end of the certificate that was checked for it: a resumed connection shows no certificate. */
interface KnownSession {
  readonly session: Buffer
  readonly checkedAt: number
  readonly certificate_ends_at: DateTime.Utc | null
}

/**
 * The facts that come with a session. `resumed`: its connection resumed an earlier one, so no certificate was checked.
 */
interface Came {
  readonly now: number
  readonly resumed: boolean
  readonly certificate_ends_at: DateTime.Utc | null
}

/** TLS sessions to resume, the latest by host and port, for the hosts that were last connected to. */
export class TlsSessions {
  readonly #sessions = new Map<string, KnownSession>()

  /** One whose certificate was checked less than ten minutes before `now`, in epoch milliseconds. */
  get(host: string, now: number): KnownSession | undefined {
    const known = this.#sessions.get(host)
    return known !== undefined && now - known.checkedAt < longestUse ? known : undefined
  }

  set(host: string, session: Buffer, { certificate_ends_at, now, resumed }: Came): void {
    const checked = resumed ? this.#sessions.get(host) : { checkedAt: now, certificate_ends_at }
    if (checked === undefined) return
    this.#sessions.delete(host)
    this.#sessions.set(host, { ...checked, session })
    if (this.#sessions.size <= mostSessions) return
    for (const oldest of this.#sessions.keys()) return void this.#sessions.delete(oldest)
  }
}
