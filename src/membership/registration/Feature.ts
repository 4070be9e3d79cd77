import { Layer } from "effect"
import { RegistrationLinksHttp, RegistrationsHttp } from "./Http.ts"
import { RegistrationLinks } from "./RegistrationLinks.ts"
import { Registrations } from "./Registrations.ts"

/** Registration links, and how students use them. */
export const registration = {
  services: Layer.mergeAll(RegistrationLinks.layer, Registrations.layer),
  routes: Layer.mergeAll(RegistrationLinksHttp, RegistrationsHttp),
  workers: Layer.empty
}
