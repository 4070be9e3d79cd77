// How a file is sent in parts, and goes on after a break. Pure: it neither asks the API nor sends, and shows nothing.

/** A part of a file that is missing. */
export interface Part {
  readonly number: number
  readonly offset: number
  readonly size_bytes: number
  readonly url: string
  /** The headers of the request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The parts that the storage has, and the addresses of the next. */
export interface Parts {
  readonly part_size: number
  readonly part_count: number
  readonly received: ReadonlyArray<number>
  readonly missing: ReadonlyArray<Part>
}

/** The result of one part. */
export type Outcome =
  | "sent"
  | Missed

/** Why nothing came of a request. */
export type Missed =
  /** Nothing was reached: it is tried until something is. */
  | "offline"
  /**
   * It was refused: the address has ended or is still busy, or the service is at fault. It asks for a new address,
   * until `mostRefusals` in a row.
   */
  | "again"

/** The effects that sending needs. */
export interface Ports<A> {
  /** Which parts are there now. */
  readonly parts: () => Promise<Parts | Missed>
  /** Sends one part, and tells how many bytes of it have gone. */
  readonly send: (part: Part, tell: (bytes: number) => void) => Promise<Outcome>
  /** Confirms that all is there. */
  readonly complete: () => Promise<A | Missed>
  /** Waits after so many failures one after the other. */
  readonly rest: (failures: number, isOffline: boolean) => Promise<void>
  /** Bytes that have arrived. */
  readonly tell: (bytes: number) => void
}

/** After so many refusals one after the other there is no hope. */
export const mostRefusals = 8

/** Bytes of a file of this size that have arrived. */
export const bytesOf = ({ part_count, part_size, received }: Parts, size: number): number =>
  received.reduce((sum, number) => sum + (number === part_count ? size - (number - 1) * part_size : part_size), 0)

/** How long to wait after so many failures, in milliseconds: a second, doubling up to half a minute. */
export const waitAfter = (failures: number): number => Math.min(30_000, 1000 * 2 ** Math.max(0, failures - 1))

/** The meaning of a failed status for the next attempt. Undefined if another attempt does not help. */
export const missedBy = (status: number | undefined): Missed | undefined => {
  if (status === undefined || status === 502 || status === 503 || status === 504) return "offline"
  return status === 408 || status === 429 || status === 500 ? "again" : undefined
}

/** For a storage without parts the file is one part, with headers of its own. */
export const wholeFile = (
  { headers, url }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  size_bytes: number
): Parts => ({
  part_size: size_bytes,
  part_count: 1,
  received: [],
  missing: [{ number: 1, offset: 0, size_bytes, url, headers }]
})

/** Sends what is missing until nothing is, and confirms it. Throws what the ports throw, and after many refusals. */
export const sendFile = async <A>(ports: Ports<A>, size: number): Promise<A> => {
  const failed = async (failures: number, isOffline: boolean): Promise<A> => {
    if (!isOffline && failures > mostRefusals) throw new Error("refused")
    await ports.rest(failures, isOffline)
    return goOn(failures)
  }

  const sendAll = async (left: ReadonlyArray<Part>, there: number, failures: number): Promise<A> => {
    const [part, ...others] = left
    if (part === undefined) return goOn(failures)
    const outcome = await ports.send(part, (bytes) => ports.tell(there + bytes))
    ports.tell(outcome === "sent" ? there + part.size_bytes : there)
    if (outcome === "sent") return sendAll(others, there + part.size_bytes, 0)
    return failed(failures + 1, outcome === "offline")
  }

  const goOn = async (failures: number): Promise<A> => {
    const parts = await ports.parts()
    if (parts === "offline" || parts === "again") return failed(failures + 1, parts === "offline")
    const there = bytesOf(parts, size)
    ports.tell(there)
    if (parts.missing.length > 0) return sendAll(parts.missing, there, failures)
    const completed = await ports.complete()
    if (completed === "offline" || completed === "again") return failed(failures + 1, completed === "offline")
    return completed
  }

  return goOn(0)
}
