import { millisOf } from "../../../../browser/client/Time.ts"

// How an access stands, in the order of what counts. Pure.

/** The fields of an access that decide its state. */
export interface Access {
  readonly starts_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** The state of an access: `active` lets the student in, the others say why not. */
export type AccessState = "active" | "coming" | "over" | "revoked"

/** How an access stands at a moment, in milliseconds since 1970. */
export const accessState = ({ expires_at, revoked_at, starts_at }: Access, now: number): AccessState => {
  if (revoked_at !== null) return "revoked"
  if (expires_at !== null && millisOf(expires_at) <= now) return "over"
  return millisOf(starts_at) > now ? "coming" : "active"
}

/** The actions of a member on an access. */
export type AccessAction = "extend" | "shorten" | "move" | "revoke" | "restore"

/** The possible actions on an access in its state. An access without end cannot end later. */
export const actionsOf = (access: Access, now: number): ReadonlyArray<AccessAction> => {
  const state = accessState(access, now)
  if (state === "revoked") return ["restore"]
  if (state === "over") return ["extend"]
  return access.expires_at === null ? ["shorten", "move", "revoke"] : ["extend", "shorten", "move", "revoke"]
}

/** Number of accesses that let the student in. */
export const activeCount = (accesses: ReadonlyArray<Access>, now: number): number =>
  accesses.filter((access) => accessState(access, now) === "active").length

/** The effect of another end: the access lasts longer, lasts shorter, ends now, or works again. */
export type EndChange = "later" | "earlier" | "over" | "again"

/** The effect on an access if it ends at `end`, or never. */
export const endChange = (access: Access, end: string | null, now: number): EndChange => {
  if (end !== null && millisOf(end) <= now) return "over"
  if (accessState(access, now) === "over") return "again"
  const before = access.expires_at === null ? Infinity : millisOf(access.expires_at)
  return (end === null ? Infinity : millisOf(end)) > before ? "later" : "earlier"
}
