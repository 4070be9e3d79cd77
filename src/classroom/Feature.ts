import { Layer } from "effect"
import { classroomAddresses } from "./server/ClassroomAddresses.ts"
import { ClassroomLayer } from "./server/ClassroomHttp.ts"
import { classroomRewrite } from "./server/ClassroomRewrite.ts"

/** Where a student learns: a page that uses the API, and the cookie that holds their session for it. */
export const classroom = {
  services: Layer.empty,
  routes: ClassroomLayer,
  addresses: classroomAddresses,
  rewrite: classroomRewrite,
  workers: Layer.empty
}
