import { Layer } from "effect"
import { ClassroomPeople } from "./ClassroomPeople.ts"
import { ClassroomPeopleHttp } from "./Http.ts"

/** The people that students may mention. */
export const people = {
  services: ClassroomPeople.layer,
  routes: ClassroomPeopleHttp,
  workers: Layer.empty
}
