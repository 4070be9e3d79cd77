import { Layer } from "effect"
import { ClubKeys } from "./ClubKeys.ts"
import { DeviceLogins, sweepDeviceLogins } from "./DeviceLogins.ts"
import { sweepKeys } from "./EndedKeys.ts"
import { DevicesHttp, KeysHttp, OwnKeyHttp } from "./Http.ts"

/** The keys with which a club's own machines come in. */
export const keys = {
  services: Layer.mergeAll(ClubKeys.layer, DeviceLogins.layer),
  routes: Layer.mergeAll(DevicesHttp, KeysHttp, OwnKeyHttp),
  workers: Layer.empty,
  sweeps: [sweepKeys, sweepDeviceLogins]
}
