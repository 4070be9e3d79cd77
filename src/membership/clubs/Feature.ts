import { Effect, Layer } from "effect"
import { ClubFaces } from "./ClubFaces.ts"
import { Clubs } from "./Clubs.ts"
import { faceRoutes, FaceRoutesLayer } from "./FaceRoutes.ts"
import { AccountHttp, ClubsHttp } from "./Http.ts"
import { Members } from "./Members.ts"
import { sweepInvitations } from "./MembersRepo.ts"

/** Clubs, their members and invitations, and their faces. */
export const clubs = {
  services: Layer.mergeAll(ClubFaces.layer, Clubs.layer, Members.layer),
  routes: Layer.mergeAll(AccountHttp, ClubsHttp, FaceRoutesLayer),
  addresses: Effect.succeed(faceRoutes),
  workers: Layer.empty,
  sweeps: [sweepInvitations]
}
