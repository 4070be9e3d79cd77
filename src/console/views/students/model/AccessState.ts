import { millisOf } from "../../../client/Time.ts"

// How an access stands, in the order of what counts. Pure.

/** What of an access says how it stands. */
export interface Access {
  readonly starts_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** Whether an access lets the student in, and why not. */
export type AccessState = "active" | "coming" | "over" | "revoked"

/** How an access stands at a moment, in milliseconds since 1970. */
export const accessState = ({ expires_at, revoked_at, starts_at }: Access, now: number): AccessState => {
  if (revoked_at !== null) return "revoked"
  if (expires_at !== null && millisOf(expires_at) <= now) return "over"
  return millisOf(starts_at) > now ? "coming" : "active"
}

/** What a member can do with an access. */
export type AccessDeed = "extend" | "shorten" | "move" | "revoke" | "restore"

/** What can be done with an access as it stands: an access without end cannot end later. */
export const deedsOf = (access: Access, now: number): ReadonlyArray<AccessDeed> => {
  const state = accessState(access, now)
  if (state === "revoked") return ["restore"]
  if (state === "over") return ["extend"]
  return access.expires_at === null ? ["shorten", "move", "revoke"] : ["extend", "shorten", "move", "revoke"]
}

/** How many accesses let the student in. */
export const activeCount = (accesses: ReadonlyArray<Access>, now: number): number =>
  accesses.filter((access) => accessState(access, now) === "active").length

/** What another end does: it lets in longer, not so long, not any more, or from now on again. */
export type EndChange = "later" | "earlier" | "over" | "again"

/** What it does to an access when it ends at this moment, or never. */
export const endChange = (access: Access, end: string | null, now: number): EndChange => {
  if (end !== null && millisOf(end) <= now) return "over"
  if (accessState(access, now) === "over") return "again"
  const before = access.expires_at === null ? Infinity : millisOf(access.expires_at)
  return (end === null ? Infinity : millisOf(end)) > before ? "later" : "earlier"
}
