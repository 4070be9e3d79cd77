import { Layer } from "effect"
import { MottosHttp } from "./Http.ts"
import { mottoOpening, Mottos } from "./Mottos.ts"

/** The mottos of clubs. */
export const mottos = {
  services: Mottos.layer,
  routes: MottosHttp,
  workers: Layer.empty,
  opening: mottoOpening
}
