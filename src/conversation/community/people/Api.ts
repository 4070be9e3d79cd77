import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { clubPath, ClubStudent } from "../../../identity/authentication/Authentication.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { field } from "../../../platform/http/Field.ts"
import { WholeList } from "../../../platform/http/Page.ts"
import { anyText } from "../../../platform/http/Text.ts"
import { mostPeople, Person } from "./Person.ts"

/** The people that a student may mention. */
export class ClassroomPeopleApi extends HttpApiGroup.make("classroomPeople")
  .add(HttpApiEndpoint.get("find", "/classroom/people", {
    params: clubPath,
    query: {
      q: Schema.optionalKey(anyText(2, 80)).pipe(field(
        "The beginning of a word of the name, in 2 to 80 characters. Case and accents do not matter. Several words are found where they follow each other. Without it, nobody is found",
        "ri"
      ))
    },
    success: WholeList(Person)
  }).annotateMerge(described(
    "Find people to mention",
    `At most ${mostPeople}, the staff first, then by name. Students are found if they have a course or the community in common with the caller, or have written in the community. E-mail addresses are neither searched nor shown`
  )))
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "People in the classroom")
  .annotate(OpenApi.Description, "The students and members of the staff that a student may mention")
{}
