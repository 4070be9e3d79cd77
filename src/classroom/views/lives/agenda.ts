import { millisOf } from "../../../browser/client/Time.ts"

// The lives of a student by when they are. Pure.

/** The fields that the order of lives depends on. */
export interface Announced {
  readonly starts_at: string
  readonly ends_at: string | null
  readonly status: "scheduled" | "open" | "ended"
}

/** Lives that one can join now, those that come, the next first, and those that are over, the latest first. */
export interface Agenda<A> {
  readonly open: ReadonlyArray<A>
  readonly coming: ReadonlyArray<A>
  readonly past: ReadonlyArray<A>
}

/** In milliseconds: so late after its time a live still opens. Without an end it is announced for as long. */
const patience = 3 * 3_600_000

/** True once nobody waits any more for a live that was announced and never opened. */
const isMissed = ({ ends_at, starts_at, status }: Announced, now: number) =>
  status === "scheduled" && millisOf(ends_at ?? starts_at) + patience < now

const byStart = (one: Announced, other: Announced) => millisOf(one.starts_at) - millisOf(other.starts_at)

/** The lives of a list in any order, as they are at a moment. */
export const agendaOf = <A extends Announced>(lives: ReadonlyArray<A>, now: number): Agenda<A> => {
  const isPast = (live: A) => live.status === "ended" || isMissed(live, now)
  return {
    open: lives.filter(({ status }) => status === "open").toSorted(byStart),
    coming: lives.filter((live) => live.status === "scheduled" && !isPast(live)).toSorted(byStart),
    past: lives.filter(isPast).toSorted((one, other) => byStart(other, one))
  }
}

/** How long it takes until a moment, in whole units: days and hours, hours and minutes, or minutes. */
export interface Wait {
  readonly days: number
  readonly hours: number
  readonly minutes: number
}

/** The time between two moments, rounded up to whole minutes: a minute before the start says one minute. */
export const waitOf = (until: number, now: number): Wait => {
  const minutes = Math.max(0, Math.ceil((until - now) / 60_000))
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 }
}

/** A title as the name of a file, without what systems do not allow in one. */
export const fileName = (title: string): string =>
  title.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, " ").trim().replaceAll(/\s+/gu, " ").slice(0, 80) || "live"
