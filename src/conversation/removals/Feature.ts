import { Layer } from "effect"
import { RemovalRequestsHttp } from "./Http.ts"
import { RemovalRequests } from "./RemovalRequests.ts"

/** Students who ask to be removed. */
export const removals = {
  services: RemovalRequests.layer,
  routes: RemovalRequestsHttp,
  workers: Layer.empty
}
