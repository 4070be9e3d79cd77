import { Layer } from "effect"
import { Clubs } from "./Clubs.ts"
import { AccountHttp, ClubsHttp } from "./Http.ts"
import { Members } from "./Members.ts"
import { sweepInvitations } from "./MembersRepo.ts"

/** Clubs, their members and invitations. */
export const clubs = {
  services: Layer.mergeAll(Clubs.layer, Members.layer),
  routes: Layer.mergeAll(AccountHttp, ClubsHttp),
  workers: Layer.empty,
  sweeps: { invitations: sweepInvitations }
}
