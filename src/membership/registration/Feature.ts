import { Layer } from "effect"
import { RegistrationLinks } from "./RegistrationLinks.ts"
import { Registrations } from "./Registrations.ts"

/** How people come to a club by themselves: links, and deliveries that are free. */
export const registration = {
  services: Layer.mergeAll(RegistrationLinks.layer, Registrations.layer),
  routes: Layer.empty,
  workers: Layer.empty
}
