import { Layer } from "effect"
import { ClubKeys, sweepKeys } from "./ClubKeys.ts"
import { KeysHttp, OwnKeyHttp } from "./Http.ts"

/** The keys with which a club's own machines come in. */
export const keys = {
  services: ClubKeys.layer,
  routes: Layer.mergeAll(KeysHttp, OwnKeyHttp),
  workers: Layer.empty,
  sweeps: [sweepKeys]
}
