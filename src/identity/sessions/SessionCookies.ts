import { type OwnCookie, ownCookie } from "../../platform/http/OwnCookie.ts"
import type { OrganizationId } from "../ids/ClubId.ts"

/** The cookie of an administrator's session. */
export const administratorCookie = (isSecure: boolean): OwnCookie => ownCookie("turma-session", isSecure)

/** The cookie of a student's session in a club: each club has its own, so somebody in two clubs has two. */
export const studentCookie = (organization_id: OrganizationId, isSecure: boolean): OwnCookie =>
  ownCookie(`turma-${organization_id.slice(0, 8)}`, isSecure)
