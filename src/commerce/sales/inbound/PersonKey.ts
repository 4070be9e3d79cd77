import { createHash } from "node:crypto"
import type { ClubId } from "../../../identity/ids/ClubId.ts"

/** The hash by which events about a person are found in a club, without storing the address. */
export const personKey = (club_id: ClubId, email: string): Uint8Array =>
  createHash("sha256").update(`${club_id}:${email}`).digest()
